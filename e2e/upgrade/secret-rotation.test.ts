import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type ServiceName, serviceNames } from '@ostiary/embedded/system';
import { eventually } from '@ostiary/service/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { secretsOf, specsOf } from '../repository/kubernetes/rendered.ts';
import { Load } from '../support/load/load.ts';
import { brokenInvariants, preparedBy } from '../support/systems/start-own.ts';
import { Fleet } from './fleet/fleet.ts';
import { withRollingRestart } from './rolling-restart.ts';

const withDatabase = ['auth', 'directory', 'provisioning'] as const;
const isSecret = (name: string): boolean =>
  /^(DATABASE_URL|DATABASE_REPLICA_URL|REDIS_URL|[A-Z]+_KEY|[A-Z_]+_CLIENT_SECRET.*|SERVICE_CLIENT_SECRET.*)$/.test(
    name,
  );
/**
 * Reports whether the process that verifies the secret accepts a second value. A process that presents a secret has one
 * value.
 */
const isTaken = (name: string): boolean =>
  /_KEY$|_CLIENT_SECRET$|_SECRET_[A-Z]+$/.test(name) && name !== 'SERVICE_CLIENT_SECRET';

/**
 * Minimum number of requests during the rolling restart, default 3000. With ROLLING_RESTART_REQUESTS=10000 more are
 * sent, without pauses, and the figures are written to docs/reference/upgrade.md.
 */
const wanted = Number(process.env.ROLLING_RESTART_REQUESTS ?? 3_000);
/** Pause between requests in ms. The replacement takes half a minute. */
const pauseMs = wanted > 3_000 ? 0 : 120;

const fresh = (): string => randomBytes(32).toString('base64url');

/**
 * Adds the variables of read replicas. They lead to the primary, which is rejected as a replica after the login, so the
 * logins are tested.
 */
const withReplica = (env: Record<string, string>): Record<string, string> => {
  if (env.DATABASE_URL === undefined) return env;
  const replica = new URL(env.DATABASE_URL);
  replica.searchParams.set('target_session_attrs', 'prefer-standby');
  return { ...env, DATABASE_REPLICA_URL: replica.href };
};

/** Secrets of each service as files, as Kubernetes mounts them: they change while processes run. */
class Mounted {
  readonly #folder = mkdtempSync(join(tmpdir(), 'ostiary-secrets-'));
  readonly names = new Map<ServiceName, string[]>();

  path = (service: ServiceName, name: string): string => join(this.#folder, service, name);
  read = (service: ServiceName, name: string): string =>
    readFileSync(this.path(service, name), 'utf8').trim();
  write = (service: ServiceName, name: string, value: string): void =>
    writeFileSync(this.path(service, name), `${value}\n`);
  remove = (service: ServiceName, name: string): void => rmSync(this.path(service, name), { force: true });
  end = (): void => rmSync(this.#folder, { recursive: true, force: true });

  /** Returns the environment of a process, with the names of files in place of its secrets. */
  of(service: ServiceName, env: Record<string, string>): Record<string, string> {
    mkdirSync(join(this.#folder, service), { recursive: true });
    const secrets = Object.keys(env).filter(isSecret);
    this.names.set(service, secrets);
    const rest = Object.fromEntries(Object.entries(env).filter(([name]) => !secrets.includes(name)));
    for (const name of secrets) {
      this.write(service, name, env[name] ?? '');
      rest[`${name}_FILE`] = this.path(service, name);
      if (isTaken(name)) rest[`${name}_SECOND_FILE`] = this.path(service, `${name}_SECOND`);
    }
    return rest;
  }
}

const mounted = new Mounted();
let fleet: Fleet;
let load: Load;
let admin: pg.Client;
let redisAdmin: Redis;
let next: Map<string, string>;
let former: Former[];

beforeAll(async () => {
  fleet = await Fleet.start({
    prepared: preparedBy(process.env),
    adjust: (service, env) => mounted.of(service, withReplica(env)),
  });
  admin = new pg.Client({ connectionString: fleet.system.databaseUrl });
  await admin.connect();
  redisAdmin = new Redis(fleet.system.redisUrl);
  ({ next, former } = await announce());
});

afterEach(() => load?.end());

afterAll(async () => {
  await admin?.end();
  redisAdmin?.disconnect();
  await fleet?.stop();
  mounted.end();
});

/** Replaces the first process of each service, and then the second. */
async function rollOut(): Promise<void> {
  for (const number of [0, 1])
    await Promise.all(serviceNames.map((service) => fleet.replace(fleet.of(service)[number] ?? '')));
}

/** Returns the status of a token request of a service client. */
async function answered(client: string, secret: string): Promise<number> {
  const response = await fetch(`${fleet.system.urls.auth}/t/platform/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: 'urn:ostiary:service:auth' }),
  });
  await response.body?.cancel();
  return response.status;
}

async function opensDatabase(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  return client.connect().then(
    () => client.end().then(() => true),
    () => false,
  );
}

async function opensRedis(url: string): Promise<boolean> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  const opens = await redis.ping().then(
    () => true,
    () => false,
  );
  redis.disconnect();
  return opens;
}

const withLogin = (url: string, login: { user?: string; password: string }): string => {
  const address = new URL(url);
  if (login.user !== undefined) address.username = login.user;
  address.password = login.password;
  return address.href;
};

/**
 * Creates a second login for a service at each engine: another role with the same rights in PostgreSQL, another
 * password of the same user in Redis.
 */
async function secondLogins(
  service: ServiceName,
  role: string,
): Promise<{ database?: { primary: string; replica: string }; redis: string }> {
  const redisUrl = mounted.read(service, 'REDIS_URL');
  const password = fresh();
  await redisAdmin.call('ACL', 'SETUSER', new URL(redisUrl).username, `>${password}`);
  const redis = withLogin(redisUrl, { password });
  if (service === 'gateway') return { redis };
  await admin.query(`CREATE ROLE ${role} LOGIN PASSWORD '${password}' IN ROLE ostiary_${service}`);
  const [primary = '', replica = ''] = ['DATABASE_URL', 'DATABASE_REPLICA_URL'].map((name) =>
    withLogin(mounted.read(service, name), { user: role, password }),
  );
  return { redis, database: { primary, replica } };
}

/** Removes the former password of the user. */
const endRedisLogin = (url: string): Promise<unknown> =>
  redisAdmin.call('ACL', 'SETUSER', new URL(url).username, `<${new URL(url).password}`);

interface Former {
  service: ServiceName;
  name: string;
  value: string;
}

/** Writes a second value of each accepted secret, and creates second logins at the engines. */
async function announce(): Promise<{ next: Map<string, string>; former: Former[] }> {
  const next = new Map<string, string>();
  const former: Former[] = [];
  for (const service of serviceNames) {
    for (const name of mounted.names.get(service) ?? []) {
      former.push({ service, name, value: mounted.read(service, name) });
      if (!isTaken(name)) continue;
      next.set(name, next.get(name) ?? fresh());
      mounted.write(service, `${name}_SECOND`, next.get(name) ?? '');
    }
    const logins = await secondLogins(service, `ostiary_${service}_b`);
    next.set(`${service} REDIS_URL`, logins.redis);
    if (logins.database) {
      next.set(`${service} DATABASE_URL`, logins.database.primary);
      next.set(`${service} DATABASE_REPLICA_URL`, logins.database.replica);
    }
    if (service !== 'auth') next.set(`${service} SERVICE_CLIENT_SECRET`, '');
  }
  return { next, former };
}

/** Returns the next value of a secret under any of its names. */
const nextOf = (next: ReadonlyMap<string, string>, { service, name }: Former): string =>
  next.get(`${service} ${name}`) || next.get(name) || next.get(`${name}_${service.toUpperCase()}`) || '';

test('No request of three thousand, sign-ins included, fails while all processes are replaced one by one and read the second value of each secret.', async () => {
  const startedAt = new Date();
  load = new Load({ demo: fleet.demo, people: 8, concurrency: 16, pauseMs, signInEveryMs: 500 });
  await load.begin();
  const before = await Promise.all(fleet.names.map((name) => fleet.system.pid(name)));
  for (const name of fleet.names) await fleet.replace(name);
  const signIns = () => load.counts['sign-in'] ?? 0;
  while (load.requests < wanted || signIns() < wanted / 100)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await load.end();
  const after = await Promise.all(fleet.names.map((name) => fleet.system.pid(name)));
  expect(after.filter((pid) => pid === undefined || before.includes(pid))).toEqual([]);
  expect(load.failures).toEqual([]);
  expect(load.requests).toBeGreaterThanOrEqual(wanted);
  const { 'sign-in': _, ...others } = load.counts;
  expect(Math.min(...Object.values(others))).toBeGreaterThan((wanted * 3) / 100);
  if (process.env.ROLLING_RESTART_REQUESTS === undefined) return;
  const page = join(import.meta.dirname, '../../docs/reference/upgrade.md');
  const seconds = Math.round((Date.now() - startedAt.getTime()) / 1_000);
  const restart = { startedAt, seconds, processes: before.length, counts: load.counts, failed: 0 };
  writeFileSync(page, withRollingRestart(readFileSync(page, 'utf8'), restart));
});

test('Every secret is replaced under load without a failed request, and the former values are rejected.', async () => {
  load = new Load({ demo: fleet.demo, people: 4, concurrency: 4, pauseMs: 40 });
  await load.begin();
  for (const one of former) {
    const { service, name, value } = one;
    mounted.write(service, name, nextOf(next, one));
    if (isTaken(name)) mounted.write(service, `${name}_SECOND`, value);
  }
  await rollOut();
  await eventually(
    async () => {
      const texts = await Promise.all(
        ['auth', 'provisioning'].map((name) =>
          fetch(fleet.system.metricsUrls[name as ServiceName]).then((response) => response.text()),
        ),
      );
      return texts.flatMap((text) => text.match(/^sealed_values_behind\{.*\} \d+$/gm) ?? []);
    },
    (lines) => lines.length > 0 && lines.every((line) => line.endsWith(' 0')),
  );

  for (const { service, name } of former) if (isTaken(name)) mounted.remove(service, `${name}_SECOND`);
  await rollOut();
  for (const service of withDatabase) await admin.query(`ALTER ROLE ostiary_${service} NOLOGIN`);
  for (const { name, value } of former) if (name === 'REDIS_URL') await endRedisLogin(value);

  await load.end();
  expect(load.failures).toEqual([]);
  expect(load.requests).toBeGreaterThan(500);

  // The secrets of each process's specification. A new secret must be replaced by this test, too.
  const read = serviceNames.flatMap((service) =>
    secretsOf(specsOf({ kind: 'Deployment', metadata: { name: service } }))
      .filter((name) => !name.endsWith('_SECOND'))
      .map((name) => `${service} ${name}`),
  );
  expect(former.map(({ service, name }) => `${service} ${name}`).sort()).toEqual(read.sort());
  for (const { service, name, value } of former) {
    const now = mounted.read(service, name);
    expect([service, name, now === value]).toEqual([service, name, false]);
    if (/^DATABASE_/.test(name))
      expect([await opensDatabase(value), await opensDatabase(now)]).toEqual([false, true]);
    if (name === 'REDIS_URL') expect([await opensRedis(value), await opensRedis(now)]).toEqual([false, true]);
    const client = /^(?:SERVICE_CLIENT_SECRET_)?([A-Z]+)(?:_CLIENT_SECRET)?$/.exec(name)?.[1]?.toLowerCase();
    if (service === 'auth' && /SECRET/.test(name) && client)
      expect([client, await answered(client, value), await answered(client, now)]).toEqual([
        client,
        401,
        200,
      ]);
  }
  expect(await brokenInvariants(fleet.system)).toEqual([]);
});

test('A login at the engines is replaced in its file without a restart: a process whose connections end reconnects with the current file.', async () => {
  const pids = await Promise.all(fleet.names.map((name) => fleet.system.pid(name)));
  for (const service of serviceNames) {
    const before = mounted.read(service, 'REDIS_URL');
    const { redis, database } = await secondLogins(service, `ostiary_${service}_c`);
    mounted.write(service, 'REDIS_URL', redis);
    if (database) {
      mounted.write(service, 'DATABASE_URL', database.primary);
      mounted.write(service, 'DATABASE_REPLICA_URL', database.replica);
    }
    await endRedisLogin(before);
    await redisAdmin.call('CLIENT', 'KILL', 'USER', new URL(before).username);
    if (!database) continue;
    await admin.query(`ALTER ROLE ostiary_${service}_b NOLOGIN`);
    await admin.query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = $1', [
      `ostiary_${service}_b`,
    ]);
  }
  for (const name of fleet.names) await fleet.system.ready(name, 30_000);
  const anew = withDatabase.map((service) => `ostiary_${service}_c`);
  const usersThere = async (): Promise<string[]> => {
    const { rows } = await admin.query<{ usename: string }>(
      "SELECT DISTINCT usename FROM pg_stat_activity WHERE usename LIKE 'ostiary\\_%' ORDER BY usename",
    );
    return rows.map(({ usename }) => usename);
  };
  // Connections that are being closed may still be listed.
  expect(await eventually(usersThere, (users) => isDeepStrictEqual(users, anew))).toEqual(anew);
  expect(await Promise.all(fleet.names.map((name) => fleet.system.pid(name)))).toEqual(pids);
  const { issuer, clients } = fleet.demo.tenants.demo;
  const { client_id, client_secret } = clients.admin;
  const token = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  expect(token.status).toBe(200);
});
