import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readJson, writePrivate } from './private-file.ts';

const names = [
  'ENCRYPTION_KEY',
  'TOKEN_KEY',
  'EVENT_KEY',
  'STREAM_KEY',
  'SERVICE_CLIENT_SECRET_DIRECTORY',
  'SERVICE_CLIENT_SECRET_PROVISIONING',
  'SERVICE_CLIENT_SECRET_GATEWAY',
  'OPERATOR_CLIENT_SECRET',
  'REDIS_PASSWORD',
  'REDIS_PASSWORD_AUTH',
  'REDIS_PASSWORD_DIRECTORY',
  'REDIS_PASSWORD_PROVISIONING',
  'REDIS_PASSWORD_GATEWAY',
  'DATABASE_PASSWORD_AUTH',
  'DATABASE_PASSWORD_DIRECTORY',
  'DATABASE_PASSWORD_PROVISIONING',
] as const;

/** Second secrets, valid during a replacement; never generated or stored. */
const seconds = [
  'ENCRYPTION_KEY_SECOND',
  'TOKEN_KEY_SECOND',
  'EVENT_KEY_SECOND',
  'STREAM_KEY_SECOND',
  'SERVICE_CLIENT_SECRET_DIRECTORY_SECOND',
  'SERVICE_CLIENT_SECRET_PROVISIONING_SECOND',
  'SERVICE_CLIENT_SECRET_GATEWAY_SECOND',
  'OPERATOR_CLIENT_SECRET_SECOND',
] as const;

/** Keys and credentials of one installation, by the name of their environment variable. */
export type Secrets = Record<SecretName, string> & Partial<Record<(typeof seconds)[number], string>>;

export type SecretName = (typeof names)[number];

/**
 * Returns the secrets in `<home>/secrets.json` (0600), generated at the first call. A variable set in `given`
 * takes precedence and is never written to the file.
 */
export async function installationSecrets(home: string, given: NodeJS.ProcessEnv): Promise<Secrets> {
  const path = join(home, 'secrets.json');
  const kept = (await readJson<Partial<Secrets>>(path)) ?? {};
  const complete = Object.fromEntries(
    names.map((name) => [name, kept[name] ?? randomBytes(32).toString('base64url')]),
  ) as Secrets;
  if (names.some((name) => kept[name] === undefined)) {
    await writePrivate(path, `${JSON.stringify(complete, null, 2)}\n`);
  }
  const second = seconds.flatMap((name) => (given[name] ? [[name, given[name]]] : []));
  return Object.fromEntries([
    ...names.map((name) => [name, given[name] || complete[name]]),
    ...second,
  ]) as Secrets;
}
