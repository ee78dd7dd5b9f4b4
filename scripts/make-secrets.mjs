// Prints fresh secrets as lines of an .env file, for docker compose or as the source of a Kubernetes Secret:
//   node scripts/make-secrets.mjs > .env
import { randomBytes } from 'node:crypto';

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

for (const name of names) process.stdout.write(`${name}=${randomBytes(32).toString('base64url')}\n`);
