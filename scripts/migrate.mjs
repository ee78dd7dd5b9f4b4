// Migrates the schemas of the services, one after the other: `node scripts/migrate.mjs [service…]`, default all three.
// Can be repeated, run concurrently, and run after an interruption.
//
// DATABASE_URL is the URL of the owner; with a database per service, DATABASE_URL_MIGRATE_AUTH, … are. The roles
// ostiary_auth, ostiary_directory and ostiary_provisioning get their permissions, with the passwords of
// DATABASE_PASSWORD_AUTH, … (DATABASE_ROLES=false: no roles). Exit code 1 at the first failure, 2 for an unknown
// service.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const services = ['auth', 'directory', 'provisioning'];
const named = process.argv.slice(2);
const unknown = named.filter((name) => !services.includes(name));
if (unknown.length > 0) {
  console.error(`migrate: unknown service ${unknown.join(', ')}; the services are ${services.join(', ')}.`);
  process.exit(2);
}

for (const service of services.filter((name) => named.length === 0 || named.includes(name))) {
  const program = fileURLToPath(new URL(`../services/${service}/dist/migrate.js`, import.meta.url));
  const own = (variable) => process.env[`${variable}_${service.toUpperCase()}`] || undefined;
  const url = own('DATABASE_URL_MIGRATE') ?? process.env.DATABASE_URL;
  // Each service has its own role, with access to its own schema only (DATABASE_ROLE in
  // docs/reference/configuration.md).
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
