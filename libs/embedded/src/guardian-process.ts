import { createInterface } from 'node:readline';
import type { Ward } from './guardian.ts';
import { end } from './liveness.ts';

const wards = new Map<number, Ward>();

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => undefined);

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const message = JSON.parse(line) as { watch?: Ward; release?: number };
    if (message.watch !== undefined) wards.set(message.watch.pid, message.watch);
    if (message.release !== undefined) wards.delete(message.release);
  })
  .on('close', async () => {
    const ranks = [...new Set([...wards.values()].map((ward) => ward.rank))].sort((a, b) => a - b);
    for (const rank of ranks) {
      const peers = [...wards.values()].filter((ward) => ward.rank === rank);
      await Promise.all(peers.map((ward) => end(ward, ward.signal, ward.patienceMs)));
    }
    process.exit(0);
  });
