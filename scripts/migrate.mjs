// Brings the schemas of all three services up to date, one after the other, and ends. Safe to run again, and from
// two places at once. Exit code 1 as soon as one fails.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

for (const service of ['auth', 'directory', 'provisioning']) {
  const program = fileURLToPath(new URL(`../services/${service}/dist/migrate.js`, import.meta.url));
  const { status } = spawnSync(process.execPath, [program], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
