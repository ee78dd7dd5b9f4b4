import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { statementsDuring } from '@ostiary/database/testing';
import { currentRequestId, type RedisServer } from '@ostiary/service';
import {
  redeem,
  signInAndAllow,
  startTestService,
  type TestService,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Returns the statements that requests send during the work, without those of jobs. */
const sentDuring = (work: () => Promise<unknown>): Promise<string[]> =>
  statementsDuring(work, () => currentRequestId() !== undefined);

/** Tables that are cached, and read again after a change. */
const keptInMemory = ['tenants', 'tenant_branding'];
/** Statements that fill caches, and that read changes of cached rows at most once per second. */
const memories =
  /FROM "?auth"?\."?(tenants|tenant_branding|clients c WHERE c\.tenant = \$1 AND c\.client_id|signing_keys|tenant_changes)\b/;

/**
 * Number of modifying statements: of a sign-in (counting attempts, creating the session), of a code (the grant) and of
 * a refresh (the rotation).
 */
const changesOf: Record<string, number> = { 'sign-in': 4, code: 1, refresh: 1 };

/** Only Prisma quotes every name. @returns the tables that it reads or writes, except cached ones */
const ofPrisma = (statements: readonly string[]): string[] =>
  statements
    .flatMap((text) => /(?:FROM|INTO|UPDATE) "auth"\."(\w+)"/.exec(text)?.[1] ?? [])
    .filter((table) => !keptInMemory.includes(table));

test('A sign-in, a code, a refresh, userinfo, introspection and a token of a machine client send no statement of the Prisma client except for cached rows, only the necessary changes, and no change of cached rows.', async () => {
  const app = await service.client({ require_consent: false });
  const machine = await service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    scope: 'users:read',
  });
  const form = { client_secret: machine.secret ?? '' };
  await service.person('alice');
  const browser = service.browser();
  let answer: URL | undefined;
  let tokens: Record<string, string> = {};
  const paths: Record<string, () => Promise<unknown>> = {
    async 'sign-in'() {
      answer = await signInAndAllow(browser, app, 'alice', { scope: 'openid offline_access' });
    },
    async code() {
      tokens = (await redeem(service, app, answer as URL)).body;
      expect(tokens.refresh_token).toBeDefined();
    },
    async refresh() {
      const refresh = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
      expect((await token(service, app, refresh)).status).toBe(200);
    },
    async userinfo() {
      expect(await userinfoStatus(service, tokens.access_token ?? '')).toBe(200);
    },
    async introspection() {
      const body = new URLSearchParams({
        ...form,
        client_id: machine.clientId,
        token: tokens.access_token ?? '',
      });
      const response = await fetch(`${service.origin}/t/demo/introspect`, { method: 'POST', body });
      expect(response.status).toBe(200);
    },
    async 'client credentials'() {
      const asked = await token(service, machine, { ...form, grant_type: 'client_credentials' });
      expect(asked.status).toBe(200);
    },
  };
  // A change of cached rows is recorded, and makes every process reload them.
  const noted = async () =>
    (await service.deps.database.sql.query('SELECT xid, tenant FROM auth.tenant_changes')).rows;
  const before = await noted();
  for (const [path, walk] of Object.entries(paths)) {
    const statements = await sentDuring(walk);
    expect({ path, prisma: ofPrisma(statements) }).toEqual({ path, prisma: [] });
    const changes = statements.filter((text) => !/^\s*SELECT/.test(text));
    expect({ path, changes: changes.length }).toEqual({ path, changes: changesOf[path] ?? 0 });
  }
  expect(before.length).toBeGreaterThan(0);
  expect(await noted()).toEqual(before);
});

test('Repeated introspection and userinfo send only statements that fill caches, at most once per second, independent of the number of requests.', async () => {
  const app = await service.client({ require_consent: false });
  const machine = await service.client({
    token_endpoint_auth_method: 'client_secret_post',
    grant_types: ['client_credentials'],
    redirect_uris: [],
    protected_resources: ['urn:ostiary:tenant-api'],
    scope: 'users:read',
  });
  await service.person('bea');
  const browser = service.browser();
  const answer = await signInAndAllow(browser, app, 'bea', { scope: 'openid email offline_access' });
  const { access_token: accessToken = '' } = (await redeem(service, app, answer)).body;
  const form = { client_id: machine.clientId, client_secret: machine.secret ?? '', token: accessToken };
  const ask = async () => {
    expect(await userinfoStatus(service, accessToken)).toBe(200);
    const body = new URLSearchParams(form);
    const response = await fetch(`${service.origin}/t/demo/introspect`, { method: 'POST', body });
    expect(await response.json()).toMatchObject({ active: true, username: 'bea' });
  };
  await ask();
  const begun = performance.now();
  const statements = await sentDuring(async () => {
    for (let turn = 0; turn < 100; turn += 1) await ask();
  });
  expect(statements.filter((text) => !memories.test(text))).toEqual([]);
  const seconds = Math.ceil((performance.now() - begun) / 1_000);
  // One read of changes per second, and the reads that the registration of the clients caused: the tenant, both clients
  // and the keys.
  expect(statements.length).toBeLessThanOrEqual(seconds + 1 + 4);
});

test('The first check of a token from a code or a refresh token sends no statement at the process that issued it while its user is cached.', async () => {
  const app = await service.client({ require_consent: false });
  await service.person('cleo');
  const answer = await signInAndAllow(service.browser(), app, 'cleo', {
    scope: 'openid email offline_access',
  });
  const { access_token: opened = '', refresh_token: first = '' } = (await redeem(service, app, answer)).body;
  // Read of the user: the cache entry lasts as long as the revocation feed may lag.
  expect(await userinfoStatus(service, opened)).toBe(200);
  const refresh = { grant_type: 'refresh_token', refresh_token: first };
  const { access_token: refreshed = '' } = (await token(service, app, refresh)).body;
  const again = await signInAndAllow(service.browser(), app, 'cleo', { scope: 'openid email' });
  const { access_token: another = '' } = (await redeem(service, app, again)).body;
  const statements = await sentDuring(async () => {
    for (const fresh of [refreshed, another]) expect(await userinfoStatus(service, fresh)).toBe(200);
  });
  expect(statements.filter((text) => !memories.test(text))).toEqual([]);
});

test('A sign-in sends no more statements and Redis commands than necessary, from the authorization request to the code.', async () => {
  const app = await service.client({ require_consent: false });
  await service.person('bob');
  const signedIn = async () => {
    const answer = await signInAndAllow(service.browser(), app, 'bob', { scope: 'openid' });
    expect(answer.searchParams.has('code')).toBe(true);
  };
  // A user who has signed in here from this network before, as on most days.
  await signedIn();
  const redis = service.deps.redis as RedisServer;
  const commands: string[] = [];
  const send = redis.sendCommand;
  redis.sendCommand = function (this: typeof redis, command, ...rest) {
    if (currentRequestId() !== undefined) commands.push(command.name);
    return send.call(this, command, ...rest);
  };
  const statements = await sentDuring(signedIn).finally(() => {
    redis.sendCommand = send;
  });
  const own = statements.filter((text) => !memories.test(text));
  // Counting the attempt, user, password, end of the count, second factors, session, its state, sign-in log, roles.
  expect({ statements: own.length, own }).toEqual({ statements: 9, own });
  const count = (name: string) => commands.filter((command) => command === name).length;
  const commandsOf = { eval: count('eval'), get: count('get'), set: count('set'), others: 0 };
  commandsOf.others = commands.length - commandsOf.eval - commandsOf.get - commandsOf.set;
  // Scripts count the start, the attempt and their ends, and take the interaction; three GETs read it and both
  // networks.
  expect(commandsOf).toEqual({ eval: 5, get: 4, set: 3, others: 0 });
});

test('The client recognises its own commands.', async () => {
  const statements = await statementsDuring(
    async () => (await service.deps.database.sql.prisma()).client.count(),
    () => true,
  );
  expect(ofPrisma(statements)).toEqual(['clients']);
});
