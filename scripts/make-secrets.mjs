// Prints new secrets as lines of an .env file. For Docker Compose:
//   node scripts/make-secrets.mjs > .env
// For a Kubernetes Secret, with the URLs of each process from those of the database owner and of Redis:
//   node scripts/make-secrets.mjs --database postgres://owner:password@host:5432/ostiary \
//     --redis redis://host:6379 > secrets.env
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';

const names = [
  'ENCRYPTION_KEY',
  'TOKEN_KEY',
  'EVENT_KEY',
  'STREAM_KEY',
  'SERVICE_CLIENT_SECRET_DIRECTORY',
  'SERVICE_CLIENT_SECRET_PROVISIONING',
  'SERVICE_CLIENT_SECRET_GATEWAY',
  'OPERATOR_CLIENT_SECRET',
  'POSTGRES_PASSWORD',
  'DATABASE_PASSWORD_AUTH',
  'DATABASE_PASSWORD_DIRECTORY',
  'DATABASE_PASSWORD_PROVISIONING',
  'REDIS_PASSWORD_AUTH',
  'REDIS_PASSWORD_DIRECTORY',
  'REDIS_PASSWORD_PROVISIONING',
  'REDIS_PASSWORD_GATEWAY',
];

const { database, redis } = parseArgs({
  options: { database: { type: 'string' }, redis: { type: 'string' } },
}).values;
const secrets = new Map(names.map((name) => [name, randomBytes(32).toString('base64url')]));

/** Returns the URL of the server for the user of a process. */
function as(url, process, password) {
  const address = new URL(url);
  address.username = `ostiary_${process}`;
  address.password = password;
  return address.href;
}

if (database !== undefined && redis !== undefined) {
  for (const process of ['auth', 'directory', 'provisioning', 'gateway']) {
    const of = (server) => secrets.get(`${server}_PASSWORD_${process.toUpperCase()}`);
    secrets.set(`REDIS_URL_${process.toUpperCase()}`, as(redis, process, of('REDIS')));
    if (of('DATABASE') !== undefined)
      secrets.set(`DATABASE_URL_${process.toUpperCase()}`, as(database, process, of('DATABASE')));
    secrets.delete(`REDIS_PASSWORD_${process.toUpperCase()}`);
  }
  secrets.set('DATABASE_URL_MIGRATE', database);
  secrets.delete('POSTGRES_PASSWORD');
} else if (database !== undefined || redis !== undefined) {
  process.stderr.write('--database and --redis must be specified together.\n');
  process.exit(1);
}

for (const [name, value] of secrets) process.stdout.write(`${name}=${value}\n`);
