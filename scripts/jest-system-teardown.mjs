import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Whatever the tests did to the system they shared: its invariants must hold. */
export default async function teardown() {
  const audit =
    globalThis.systemDatabase === undefined
      ? { status: 0 }
      : spawnSync(process.execPath, [fileURLToPath(new URL('audit-invariants.ts', import.meta.url))], {
          env: { ...process.env, NODE_OPTIONS: '', DATABASE_URL: globalThis.systemDatabase },
          encoding: 'utf8',
        });
  await globalThis.stopSystem?.();
  if (audit.status !== 0) throw new Error(`The invariants don't hold:\n${audit.stdout}${audit.stderr}`);
}
