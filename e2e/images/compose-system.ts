/**
 * System of docker-compose.yml whose images run without an engine: the same settings, with addresses of this machine.
 */
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type PostgresServerHandle, startPostgres, startValkey } from '@ostiary/embedded';
import { processNames, redisRules } from '@ostiary/service';
import pg from 'pg';
import { parse } from 'yaml';

export interface ComposeSystem {
  origin: string;
  /** Address of the gateway's port for the operator. */
  operatorUrl: string;
  /** Addresses by process. */
  urls: Record<string, string>;
  secrets: Record<string, string>;
  /** Address with the owner of the schemas. */
  databaseUrl: string;
  /** Returns the environment of a process by its name in the file. */
  env(name: string): Record<string, string>;
  stop(): Promise<void>;
}

interface File {
  services: Record<string, { environment?: Record<string, string> }>;
}

/** @param home folder of the database; must not exist @param secrets contents of .env, default generated */
export async function composeSystem(
  root: string,
  home: string,
  secrets = envFile(makeSecrets(root)),
): Promise<ComposeSystem> {
  const file = parse(readFileSync(join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as File;
  const [postgres, valkey] = await Promise.all([database(home, secrets), redis(secrets)]);
  const ports: Record<string, { http: number; metrics: number }> = {};
  for (const name of processNames) ports[name] = { http: await freePort(), metrics: await freePort() };
  const addresses: Record<string, string> = {
    'postgres:5432': `127.0.0.1:${postgres.port}`,
    'valkey:6379': `127.0.0.1:${valkey.port}`,
  };
  for (const name of processNames) {
    const { PORT } = file.services[name]?.environment ?? {};
    addresses[`//${name}:${PORT}`] = `//127.0.0.1:${ports[name]?.http}`;
  }
  const operatorPort = String(await freePort());
  const origin = `http://localhost:${ports.gateway?.http}`;
  const settings = { ...secrets, PUBLIC_ORIGIN: origin };
  const env = (name: string): Record<string, string> => {
    const given = file.services[name]?.environment ?? {};
    const own = Object.entries(given).map(([variable, value]) => [
      variable,
      addressed(interpolated(String(value), settings), addresses),
    ]);
    const { http, metrics } = ports[name] ?? {};
    return {
      ...(Object.fromEntries(own) as Record<string, string>),
      // Processes share this machine's address; containers would have separate ones.
      ...(http === undefined
        ? {}
        : {
            HOST: '127.0.0.1',
            METRICS_HOST: '127.0.0.1',
            PORT: `${http}`,
            METRICS_PORT: `${metrics}`,
            OPERATOR_PORT: operatorPort,
          }),
    };
  };
  return {
    origin,
    operatorUrl: `http://127.0.0.1:${operatorPort}`,
    urls: Object.fromEntries(processNames.map((name) => [name, `http://127.0.0.1:${ports[name]?.http}`])),
    secrets,
    databaseUrl: env('migrate').DATABASE_URL ?? '',
    env,
    stop: async () => {
      await Promise.allSettled([postgres.stop(), valkey.stop()]);
    },
  };
}

const makeSecrets = (root: string): string =>
  execFileSync(process.execPath, [join(root, 'scripts/make-secrets.mjs')], { encoding: 'utf8' });

/** Returns the variables of an .env file. */
export const envFile = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value]));

async function database(home: string, secrets: Record<string, string>): Promise<PostgresServerHandle> {
  const server = await startPostgres({
    dataDirectory: join(home, 'postgres'),
    durable: false,
    log: () => undefined,
  });
  const client = new pg.Client({ connectionString: server.url });
  await client.connect();
  // The official image creates these from POSTGRES_USER and POSTGRES_DB.
  await client.query(`CREATE ROLE ostiary SUPERUSER LOGIN PASSWORD '${secrets.POSTGRES_PASSWORD}'`);
  await client.query('CREATE DATABASE ostiary OWNER ostiary');
  await client.end();
  return server;
}

/** Starts Valkey with the users of deploy/valkey-users.sh, which e2e/redis tests. */
const redis = (secrets: Record<string, string>) =>
  startValkey({
    log: () => undefined,
    access: {
      password: randomBytes(24).toString('base64url'),
      users: processNames.map((name) => ({
        name: `ostiary_${name}`,
        password: secrets[`REDIS_PASSWORD_${name.toUpperCase()}`] ?? '',
        rules: redisRules(name, 'ostiary'),
      })),
    },
  });

/** Resolves `${NAME}`, `${NAME:-else}` and `${NAME:?complaint}` like Compose. */
const interpolated = (text: string, settings: Record<string, string>): string =>
  text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_whole, name: string, sign?: string, rest = '') => {
    const value = settings[name] ?? '';
    if (value !== '') return value;
    if (sign === '?') throw new Error(`${name}: ${rest}`);
    return sign === '-' ? rest : '';
  });

const addressed = (text: string, addresses: Record<string, string>): string =>
  Object.entries(addresses).reduce((before, [name, address]) => before.replaceAll(name, address), text);
