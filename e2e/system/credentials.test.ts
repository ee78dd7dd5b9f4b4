import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type KeyFamilyName,
  keyFamilyOf,
  keyStem,
  type ProcessName,
  processNames,
  redisKeys,
} from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { monitorRedis } from '../support/cost/redis-monitor.ts';
import { unique } from '../support/demo.ts';
import { listen } from '../support/live.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, authorize, signIn } from '../support/sign-in.ts';

/** Tests the rights of each process's credentials at Valkey and PostgreSQL, and the contents of Valkey. */

const prefix = 'ostiary';
const schemas = ['auth', 'directory', 'provisioning'] as const;
let own: OwnSystem;
let admin: Redis;
/** Key families that the exercise below uses: jobs of both consumers, values of a sign-in and of a device. */
const passedBy = [
  'jobs_auth',
  'jobs_provisioning',
  'interaction',
  'authorization_code',
  'user_code',
] as const;
/** Commands sent to Valkey during the exercise. */
const commands: string[] = [];
/** Values that no command may contain: names, addresses and user codes. */
const personal: string[] = [];
const clients = new Map<ProcessName, Redis>();

beforeAll(async () => {
  own = await ownSystem();
  admin = new Redis(own.system.redisUrl);
  for (const name of processNames) clients.set(name, new Redis(own.system.env[name].REDIS_URL ?? ''));
  const stopMonitor = await monitorRedis(own.system.redisUrl, (words) => commands.push(words.join(' ')));
  await exercise();
  // Jobs are enqueued with a delay, and the monitor reports them later.
  const last = unique('last');
  await eventually(async () =>
    passedBy.every((family) => commands.some((text) => text.includes(keyStem(prefix, family)))),
  );
  await admin.exists(last);
  await eventually(async () => commands.some((text) => text.includes(last)));
  stopMonitor();
});
afterAll(async () => {
  admin?.disconnect();
  for (const client of clients.values()) client.disconnect();
  await own?.stop();
});

/** Uses every feature that stores data in Valkey. */
async function exercise(): Promise<void> {
  const { demo } = own;
  const tenant = demo.tenants.demo;
  const alice = tenant.users.alice;
  const token = await adminToken(tenant);
  const live = await listen(demo.graphql, token, {
    query: 'subscription { userChanged(kinds: [CREATED]) { userId } }',
  });
  await signIn(demo, tenant, alice);
  await authorize(demo, tenant, alice);
  // A pending sign-in and a failed one.
  const url = new URL(`${tenant.issuer}/account`);
  await fetch(url);
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  const person = { userName: unique('kept'), password: `${unique('secret')}-kept in no command` };
  const [givenName, familyName, externalId] = [unique('Given'), unique('Family'), unique('external')];
  const address = `${unique('mailbox')}@example.com`;
  personal.push(...Object.values(person), givenName, familyName, externalId, address);
  const made = await scim.call('POST', '/Users', {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
    ...person,
    externalId,
    name: { givenName, familyName },
    displayName: `${givenName} ${familyName}`,
    emails: [{ value: address, primary: true }],
  });
  await signIn(demo, tenant, person);
  const waiting = await fetch(`${tenant.issuer}/device_authorization`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: tenant.clients.device.client_id }),
  });
  const { user_code: userCode } = (await waiting.json()) as { user_code: string };
  personal.push(userCode, userCode.replaceAll('-', ''));
  await scim.call('PATCH', `/Users/${made.body.id}`, {
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [{ op: 'replace', path: 'active', value: false }],
  });
  await fetch(demo.graphql, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: '{ __typename }' }),
  });
  await live.stop();
}

const denied = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => (error.message.startsWith('NOPERM') ? 'NOPERM' : `${error.message}`),
  );

describe('Valkey', () => {
  const families = Object.keys(redisKeys) as KeyFamilyName[];
  const cases = processNames.flatMap((process) => families.map((family) => [process, family] as const));

  test.each(cases)(
    'The process %s can access keys of the family %s only as the registry declares.',
    async (process, family) => {
      const { read = [], write } = redisKeys[family] as {
        read?: readonly ProcessName[];
        write: readonly ProcessName[];
      };
      const client = clients.get(process) as Redis;
      const stem = keyStem(prefix, family);
      const key = stem.endsWith(':') ? `${stem}probe-${process}` : stem;
      const mayWrite = write.includes(process);
      const mayRead = mayWrite || read.includes(process);
      expect((await denied(client.exists(key))) === 'NOPERM').toBe(!mayRead);
      // PERSIST on a missing key changes nothing.
      const probe = stem.endsWith(':') ? key : `${key}`;
      expect((await denied(client.persist(probe))) === 'NOPERM').toBe(!mayWrite);
      const script = "return redis.call('persist', KEYS[1])";
      const scripted = await client.eval(script, 1, probe).then(
        () => true,
        () => false,
      );
      expect(scripted).toBe(mayWrite);
    },
  );

  test.each(processNames)(
    'The process %s can access no key outside the registry and cannot administer Valkey.',
    async (process) => {
      const client = clients.get(process) as Redis;
      for (const key of ['other', `${prefix}:other`, `{${prefix}}:other`, `${prefix}-2:auth:attempts:x`]) {
        expect(await denied(client.get(key))).toBe('NOPERM');
        expect(await denied(client.set(key, 'x'))).toBe('NOPERM');
      }
      for (const [command, ...args] of [
        ['KEYS', '*'],
        ['SCAN', '0'],
        ['FLUSHALL'],
        ['FLUSHDB'],
        ['CONFIG', 'GET', '*'],
        ['ACL', 'LIST'],
        ['MONITOR'],
        ['SHUTDOWN'],
        ['SCRIPT', 'FLUSH'],
        ['REPLICAOF', 'NO', 'ONE'],
        ['CLIENT', 'KILL', 'ID', '1'],
        ['FUNCTION', 'LIST'],
        ['PUBLISH', 'x', 'y'],
      ] as const) {
        expect([command, await denied(client.call(command, ...args))]).toEqual([command, 'NOPERM']);
      }
    },
  );

  test('A connection without a password is rejected.', async () => {
    const address = new URL(own.system.redisUrl);
    address.username = '';
    address.password = '';
    const stranger = new Redis(address.href, { maxRetriesPerRequest: 0, retryStrategy: () => null });
    stranger.on('error', () => undefined);
    await expect(stranger.get('x')).rejects.toThrow();
    stranger.disconnect();
  });

  test('Every key of the running system is in the registry, and is sealed, signed or not sensitive.', async () => {
    const found = new Set<KeyFamilyName>();
    let cursor = '0';
    do {
      const [next, keys] = await admin.scan(cursor, 'COUNT', 500);
      cursor = next;
      for (const key of keys) {
        const family = keyFamilyOf(prefix, key);
        expect([key, family !== undefined]).toEqual([key, true]);
        if (family === undefined) continue;
        found.add(family);
        if (redisKeys[family].trust === 'sealed') await expectSealed(key);
      }
    } while (cursor !== '0');
    for (const family of [
      'authorization_code',
      'interaction',
      'known_network',
      'revocations',
      'live',
    ] as const)
      expect(found).toContain(family);
    for (const stream of ['revocations', 'live'] as const) {
      for (const [, fields] of await admin.xrange(keyStem(prefix, stream), '-', '+')) {
        if (!fields.includes('start')) expect(fields).toContain('mac');
      }
    }
  });

  test('No command discloses the name or mail address of a user or a code that a user types.', () => {
    for (const family of passedBy)
      expect([family, commands.some((text) => text.includes(keyStem(prefix, family)))]).toEqual([
        family,
        true,
      ]);
    const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
    for (const secret of personal) {
      const lower = secret.toLowerCase();
      for (const form of [
        lower,
        encodeURIComponent(lower),
        escaped(lower),
        btoa(secret).slice(0, -4).toLowerCase(),
      ])
        expect([secret, commands.filter((text) => text.toLowerCase().includes(form)).slice(0, 3)]).toEqual([
          secret,
          [],
        ]);
    }
  });

  const sealed = /^[\w-]{50,}$/;
  async function expectSealed(key: string): Promise<void> {
    if ((await admin.type(key)) === 'hash') {
      const { request = '', content = '' } = await admin.hgetall(key);
      for (const value of [request, content]) expect(value).toMatch(/^$|^[\w-]{50,}$/);
      return;
    }
    const value = (await admin.get(key)) ?? '';
    // A redeemed code has the compared value in front; the outcome of an interaction is empty for a moment.
    const last = value.split('\n').at(-1) ?? '';
    expect([key, last === '' ? key.endsWith(':outcome') : sealed.test(last)]).toEqual([key, true]);
  }
});

describe('PostgreSQL', () => {
  test.each(schemas)(
    'The service %s can access only its own schema and cannot alter a table.',
    async (service) => {
      const client = new pg.Client({ connectionString: own.system.env[service].DATABASE_URL });
      await client.connect();
      const refused = (text: string): Promise<unknown> =>
        client.query(text).then(
          () => 'done',
          (error: { code?: string }) => error.code,
        );
      try {
        const { rows } = await client.query<{ schema: string; name: string }>(
          `SELECT n.nspname AS schema, c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
          WHERE c.relkind IN ('r', 'p') AND n.nspname = ANY ($1)`,
          [schemas],
        );
        expect(new Set(rows.map(({ schema }) => schema))).toEqual(new Set(schemas));
        for (const { schema, name } of rows) {
          const table = `"${schema}"."${name}"`;
          const isOwn = schema === service;
          expect([table, await refused(`SELECT 1 FROM ${table} LIMIT 0`)]).toEqual([
            table,
            isOwn ? 'done' : '42501',
          ]);
          expect([table, await refused(`DELETE FROM ${table} WHERE false`)]).toEqual([
            table,
            isOwn && name !== '_prisma_migrations' ? 'done' : '42501',
          ]);
          expect([table, await refused(`TRUNCATE ${table}`)]).toEqual([table, '42501']);
          expect([table, await refused(`ALTER TABLE ${table} ADD COLUMN taken int`)]).toEqual([
            table,
            '42501',
          ]);
        }
        expect(await refused(`CREATE TABLE ${service}.mine (id int)`)).toBe('42501');
        expect(await refused('CREATE TABLE public.mine (id int)')).toBe('42501');
        expect(await refused('CREATE ROLE another')).toBe('42501');
        expect(await refused('SELECT * FROM pg_authid')).toBe('42501');
      } finally {
        await client.end();
      }
    },
  );

  test('The gateway has no access to PostgreSQL.', () => {
    expect(own.system.env.gateway).not.toHaveProperty('DATABASE_URL');
  });
});
