import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer, type Server } from 'node:tls';
import { createKit, type Transaction } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { LogWriter } from '../../../services/provisioning/src/provisioning-log/log-writer.jobs.ts';
import { GuardProcess } from '../../guard/guard-process.ts';
import { ProtectedApi } from '../../verifier/registered.ts';
import { collect, type Snapshot, sampled, samplesIn, type Target } from '../exposition.ts';
import type { Recording } from '../recording.ts';
import { collectUntil, type World } from '../world.ts';

/** Creates certificates that expire in the given number of days, with openssl. A negative number means expired. */
async function certificates(days: readonly number[]): Promise<{ key: string; certs: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-certificates-'));
  const openssl = (...args: string[]): Buffer =>
    execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  try {
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'key.pem');
    openssl('req', '-new', '-key', 'key.pem', '-subj', '/CN=127.0.0.1', '-out', 'request.pem');
    const certs: string[] = [];
    for (const one of days) {
      openssl(
        'x509',
        '-req',
        '-in',
        'request.pem',
        '-signkey',
        'key.pem',
        '-days',
        String(one),
        '-out',
        'cert.pem',
      );
      certs.push(await readFile(join(folder, 'cert.pem'), 'utf8'));
    }
    return { key: await readFile(join(folder, 'key.pem'), 'utf8'), certs };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Starts a gateway whose public origin presents certificates in order: expiring soon, expired, valid again. */
export async function certificateEnds(
  world: World,
): Promise<Record<'certificate ends' | 'certificate ended' | 'event loop', Recording>> {
  const { key, certs } = await certificates([90, 10, -1]);
  const [good = '', ending = '', ended = ''] = certs;
  const server: Server = createServer({ key, cert: ending }, (socket) => socket.on('error', () => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const extra = await world.own.system.spawnExtra('gateway', {
    env: { PUBLIC_ORIGIN: `https://127.0.0.1:${port}` },
  });
  const targets: Target[] = [{ instance: 'extra', url: extra.metricsUrl }];
  const days = (now: Snapshot): number =>
    (sampled(now, 'certificate_remaining_seconds') ?? Number.NaN) / 86_400;
  try {
    const endsSoon = await collectUntil(
      'the certificate ends soon',
      targets,
      (now) => days(now) < 14 && days(now) > 9,
    );
    server.setSecureContext({ key, cert: ended });
    const blocked = await eventLoopBlocked(world, extra.name, targets);
    const hasEnded = await collectUntil('the certificate has ended', targets, (now) => days(now) < 0);
    server.setSecureContext({ key, cert: good });
    const isGood = await collectUntil('the certificate was replaced', targets, (now) => days(now) > 80);
    const recording = (during: Snapshot): Recording => ({
      before: isGood,
      during,
      seconds: 1,
      after: isGood,
    });
    return {
      'certificate ends': recording(endsSoon),
      'certificate ended': recording(hasEnded),
      'event loop': blocked,
    };
  } finally {
    await extra.stop();
    server.close();
  }
}

/** Stops a process for two seconds with SIGSTOP. Its metrics are collected by this test only. */
async function eventLoopBlocked(
  { own }: World,
  name: string,
  targets: readonly Target[],
): Promise<Recording> {
  await collect(targets);
  await sleep(1_100);
  const before = await collect(targets);
  await own.system.kill(name, 'SIGSTOP');
  await sleep(2_000);
  await own.system.kill(name, 'SIGCONT');
  await sleep(200);
  const during = await collect(targets);
  await sleep(1_500);
  return { before, during, seconds: 2, after: await collect(targets) };
}

/** Ends a guard, and starts another one. */
export async function guardAway({ own }: World): Promise<Recording> {
  const api = await new ProtectedApi(own.demo, own.demo.tenants.demo).register();
  const started = async (): Promise<{ guard: GuardProcess; now: Snapshot }> => {
    const guard = await GuardProcess.start(api);
    await eventually(async () => (await guard.readiness()) === 200);
    return { guard, now: await collect([targetOf(guard)]) };
  };
  const targetOf = (guard: GuardProcess): Target => ({ instance: 'guard', url: guard.metricsUrl });
  const { guard, now: before } = await started();
  await guard.stop();
  const during = await collect([targetOf(guard)]);
  const { guard: next, now: after } = await started();
  await next.stop();
  return { before, during, seconds: 1, after };
}

/**
 * Rejects all writes of the provisioning log: entries beyond the capacity are dropped. The capacity is one instead of
 * thousands.
 */
export async function logIncomplete(): Promise<Recording> {
  const kit = createKit({ name: 'provisioning', logLevel: 'silent' });
  const writer = new LogWriter({
    sql: { query: () => Promise.reject(new Error('away')) } as unknown as Transaction,
    provisioningLog: { append: () => Promise.reject(new Error('away')) } as never,
    tokenUses: {} as never,
    kit,
    capacity: 1,
  });
  const say = async (): Promise<Snapshot> => new Map(samplesIn(await kit.metrics.metrics(), 'provisioning'));
  const before = await say();
  for (let n = 0; n < 3; n += 1) writer.append({ detail: null, at: new Date() } as never);
  return { before, during: await say(), seconds: 1, after: await say() };
}
