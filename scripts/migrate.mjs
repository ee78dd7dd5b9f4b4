// Brings the schemas of the services up to date, one after the other, and ends: `node scripts/migrate.mjs [service…]`, all three unless some are
// named. Safe to run again, from two places at once, and after a run that was interrupted.
//
// DATABASE_URL is that of the owner; with a database for each service, DATABASE_URL_MIGRATE_AUTH, … are. The roles ostiary_auth,
// ostiary_directory and ostiary_provisioning get what they need, with the passwords of DATABASE_PASSWORD_AUTH, …
// (DATABASE_ROLES=false: no roles, where one is for all). Exit code 1 as soon as one fails, 2 for a service that there isn't.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const services = ['auth', 'directory', 'provisioning'];
const named = process.argv.slice(2);
const unknown = named.filter((name) => !services.includes(name));
if (unknown.length > 0) {
  console.error(`migrate: there is no schema of ${unknown.join(', ')}; there are ${services.join(', ')}.`);
  process.exit(2);
}

for (const service of services.filter((name) => named.length === 0 || named.includes(name))) {
  const program = fileURLToPath(new URL(`../services/${service}/dist/migrate.js`, import.meta.url));
  const own = (variable) => process.env[`${variable}_${service.toUpperCase()}`] || undefined;
  const url = own('DATABASE_URL_MIGRATE') ?? process.env.DATABASE_URL;
  // Each service works as a role of its own, with no rights but on its own schema (DATABASE_ROLE in docs/reference/configuration.md).
  const role = process.env.DATABASE_ROLES === 'false' ? undefined : `ostiary_${service}`;
  const env = {
    ...process.env,
    ...(url && { DATABASE_URL: url }),
    ...(role && { DATABASE_ROLE: role }),
    ...(role && own('DATABASE_PASSWORD') && { DATABASE_ROLE_PASSWORD: own('DATABASE_PASSWORD') }),
  };
  const { status } = spawnSync(process.execPath, [program], { stdio: 'inherit', env });
  if (status !== 0) process.exit(status ?? 1);
}
