import { type ProcessName, redisRules } from '@ostiary/service';
import type { ValkeyAccess } from '../valkey.ts';
import type { SecretName, Secrets } from './secrets.ts';
import type { ServiceName } from './service-names.ts';

/** Credentials of each process for PostgreSQL and Valkey. */
export interface OwnCredentials {
  database: Partial<Record<ServiceName, string>>;
  redis: Record<ServiceName, string>;
  /**
   * Credentials of the owner of the schemas, who migrates them, and the role of each service, if migrations
   * create it.
   */
  migration: { databaseUrl: string; roles: Partial<Record<ServiceName, { name: string; password: string }>> };
}

const withDatabase = ['auth', 'directory', 'provisioning'] as const;
const everyProcess: readonly ProcessName[] = [...withDatabase, 'gateway'];

/** Returns the user of a process at the servers. */
const userOf = (process: string): string => `ostiary_${process}`;

const passwordOf = (secrets: Secrets, server: 'REDIS' | 'DATABASE', process: string): string =>
  secrets[`${server}_PASSWORD_${process.toUpperCase()}` as SecretName];

/** Returns the users of the embedded Valkey: one per process, with minimal permissions. */
export const valkeyAccess = (secrets: Secrets, env: NodeJS.ProcessEnv): ValkeyAccess => ({
  password: secrets.REDIS_PASSWORD,
  users: everyProcess.map((process) => ({
    name: userOf(process),
    password: passwordOf(secrets, 'REDIS', process),
    rules: redisRules(process, env.REDIS_PREFIX || 'ostiary'),
  })),
});

/**
 * Returns separate credentials of each process for embedded servers. For external servers there may be one
 * address each (`DATABASE_URL_AUTH`, `REDIS_URL_GATEWAY`, ...), or one for all.
 */
export function ownCredentials(o: {
  databaseUrl: string;
  redisUrl: string;
  secrets: Secrets;
  embedded: { postgres: boolean; valkey: boolean };
  env: NodeJS.ProcessEnv;
}): OwnCredentials {
  const own = (variable: string, process: string, common: string): string =>
    o.env[`${variable}_${process.toUpperCase()}`] || common;
  const as = (url: string, user: string, password: string): string => {
    const address = new URL(url);
    address.username = user;
    address.password = password;
    return address.href.replace(/\/$/, '');
  };
  const of = <N extends string>(names: readonly N[], value: (name: N) => string): Record<N, string> =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as Record<N, string>;
  return {
    database: of(withDatabase, (name) =>
      o.embedded.postgres
        ? as(o.databaseUrl, userOf(name), passwordOf(o.secrets, 'DATABASE', name))
        : own('DATABASE_URL', name, o.databaseUrl),
    ),
    redis: of(everyProcess, (name) =>
      o.embedded.valkey
        ? as(o.redisUrl, userOf(name), passwordOf(o.secrets, 'REDIS', name))
        : own('REDIS_URL', name, o.redisUrl),
    ),
    migration: {
      databaseUrl: o.databaseUrl,
      roles: o.embedded.postgres
        ? Object.fromEntries(
            withDatabase.map((name) => [
              name,
              { name: userOf(name), password: passwordOf(o.secrets, 'DATABASE', name) },
            ]),
          )
        : {},
    },
  };
}

/** Returns the variables for migrating a service's schema in addition to the service's environment. */
export function migrationEnv(service: ServiceName, { migration }: OwnCredentials): Record<string, string> {
  const role = migration.roles[service];
  return {
    DATABASE_URL: migration.databaseUrl,
    ...(role ? { DATABASE_ROLE: role.name, DATABASE_ROLE_PASSWORD: role.password } : {}),
  };
}
