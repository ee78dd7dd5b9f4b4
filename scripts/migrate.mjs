// Brings the schemas of all three services up to date, one after the other, and ends. Safe to run again, and from
// two places at once. DATABASE_URL is that of the owner; the roles ostiary_auth, ostiary_directory and ostiary_provisioning get
// what they need, with the passwords of DATABASE_PASSWORD_AUTH, ... (DATABASE_ROLES=false: no roles, where one is for all). Exit code 1 as soon as one fails.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

for (const service of ['auth', 'directory', 'provisioning']) {
  const program = fileURLToPath(new URL(`../services/${service}/dist/migrate.js`, import.meta.url));
  // Each service works as a role of its own, with no rights but on its own schema (DATABASE_ROLE in docs/reference/configuration.md).
  const password = process.env[`DATABASE_PASSWORD_${service.toUpperCase()}`];
  const role = process.env.DATABASE_ROLES === 'false' ? {} : { DATABASE_ROLE: `ostiary_${service}` };
  const env = { ...process.env, ...role, ...(password ? { DATABASE_ROLE_PASSWORD: password } : {}) };
  const { status } = spawnSync(process.execPath, [program], { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
