import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { SignInLog } from '../../../src/identity/sign-in-log/domain/sign-in-log.ts';
import { pruneExpired } from '../../../src/maintenance.ts';
import { type Asking, codesOf, startAsking } from '../../support/sign-in/asking.ts';
import { Authenticator, passkeyOptions } from '../../support/sign-in/authenticator.ts';
import { addPasskey, appCode, setUpApp } from '../../support/sign-in/second-step.ts';
import { authorizeUrl, rival, signIn, tenant } from '../../support/sign-in/service.ts';
import { fieldsOf } from '../../support/sign-in/with-second-factor.ts';

let asking: Asking;
let auditor: string;
let rivalAuditor: string;
let client: Awaited<ReturnType<Asking['service']['client']>>;

beforeAll(async () => {
  asking = await startAsking({ TENANT_POLICY_DEFAULTS: '{}' });
  auditor = await asking.machine('audit:read users:read');
  rivalAuditor = await asking.machine('audit:read users:read', rival);
  client = await asking.service.client({ require_consent: false });
});
afterAll(() => asking.service.stop());

const fields = `id occurredAt outcome reason clientId sessionId factors ipAddress userAgent requestId user { id }`;
const list = `query ($filter: SignInAttemptFilter, $first: Int, $after: String) {
  signInAttempts(filter: $filter, first: $first, after: $after) {
    totalCount pageInfo { hasNextPage endCursor } edges { node { ${fields} } } } }`;

interface Attempt {
  id: string;
  outcome: string;
  reason: string | null;
  clientId: string | null;
  sessionId: string | null;
  factors: string[];
  user: { id: string } | null;
}

async function attempts(filter: object, token = auditor): Promise<Attempt[]> {
  const answer = await asking.ask(list, { filter }, token);
  return answer.data.signInAttempts.edges.map(({ node }: { node: Attempt }) => node);
}

const latest = async (): Promise<Attempt | undefined> => (await attempts({}))[0];

describe('the sign-in log', () => {
  test('A successful sign-in is recorded with client, session, factor, network and request.', async () => {
    const { id } = await asking.service.person('log-success');
    await signIn(asking.service.browser(), client, 'log-success');
    const [entry, ...others] = await attempts({ userId: id });
    expect(others).toEqual([]);
    expect(entry).toMatchObject({
      outcome: 'SUCCEEDED',
      reason: null,
      clientId: client.clientId,
      sessionId: expect.any(String),
      factors: ['PASSWORD'],
      ipAddress: '127.0.0.1',
      requestId: expect.any(String),
      user: { id },
    });
  });

  test('Each reason for a failed sign-in is recorded for the user, and an unknown name without its text.', async () => {
    const { directory, deps } = asking.service;
    const { id } = await asking.service.person('log-failure');
    await signIn(asking.service.browser(), client, 'log-failure', { password: 'wrong' });
    expect(await latest()).toMatchObject({ outcome: 'FAILED', reason: 'WRONG_PASSWORD', user: { id } });
    const typed = 'correct horse typed as a name';
    await signIn(asking.service.browser(), client, typed);
    expect(await latest()).toMatchObject({ outcome: 'FAILED', reason: 'UNKNOWN_USER', user: null });
    await directory.change(tenant, id, 'user.deactivated');
    await eventually(async () => (await deps.subjects.find(tenant, id))?.active === false);
    await signIn(asking.service.browser(), client, 'log-failure');
    expect(await latest()).toMatchObject({ outcome: 'FAILED', reason: 'INACTIVE_USER', user: { id } });
    const { rows } = await deps.database.sql.query('SELECT a::text FROM auth.sign_in_attempts a');
    expect(JSON.stringify(rows)).not.toContain('typed as a name');
    expect(asking.service.logs.join('')).not.toContain('typed as a name');
  });

  test('Second factors and passkeys are recorded with every factor that was presented.', async () => {
    const { id } = await asking.service.person('log-factors');
    const { secret, codes } = await setUpApp(asking.service, asking.service.browser(), 'log-factors');
    const browser = asking.service.browser();
    const page = await signIn(browser, client, 'log-factors');
    const again = await browser.submit(page, { code: '000000' });
    expect(await latest()).toMatchObject({
      outcome: 'FAILED',
      reason: 'WRONG_CODE',
      factors: ['PASSWORD', 'ONE_TIME_CODE'],
      user: { id },
    });
    await browser.submit(again, { code: appCode(secret) });
    expect(await latest()).toMatchObject({ outcome: 'SUCCEEDED', factors: ['PASSWORD', 'ONE_TIME_CODE'] });
    const other = asking.service.browser();
    await other.submit(await signIn(other, client, 'log-factors'), { code: codes[0] ?? '' });
    expect(await latest()).toMatchObject({ outcome: 'SUCCEEDED', factors: ['PASSWORD', 'RECOVERY_CODE'] });

    await asking.service.person('log-passkey');
    const authenticator = new Authenticator();
    await addPasskey(asking.service.browser(), 'log-passkey', authenticator);
    for (const [origin, expected] of [
      ['http://localhost:4000', { outcome: 'SUCCEEDED', reason: null }],
      ['https://evil.example', { outcome: 'FAILED', reason: 'PASSKEY_REJECTED' }],
    ] as const) {
      const keyring = asking.service.browser();
      const login = await keyring.follow(await keyring.get(authorizeUrl(client)));
      Object.assign(authenticator, { origin });
      const credential = authenticator.get(passkeyOptions(login));
      await keyring.post(`/t/${tenant}/login/passkey`, { ...fieldsOf(login), credential });
      expect(await latest()).toMatchObject({ ...expected, factors: ['PASSKEY'] });
    }
  });

  test('Delayed attempts are recorded once a minute for a network, with the user.', async () => {
    const { id } = await asking.service.person('log-delayed');
    for (let n = 0; n < 12; n += 1)
      await signIn(asking.service.browser(), client, 'log-delayed', { password: 'wrong' });
    const recorded = await attempts({ userId: id });
    const delayed = recorded.filter(({ outcome }) => outcome === 'DELAYED');
    expect(delayed).toMatchObject([{ reason: 'TOO_MANY_ATTEMPTS', user: { id } }]);
    expect(recorded.length).toBeLessThan(12);
  });

  test('One query returns why a user cannot sign in, and users read the attempts on their own account only.', async () => {
    const own = await asking.signedIn('log-own');
    const other = await asking.signedIn('log-other');
    await signIn(asking.service.browser(), client, 'log-own', { password: 'wrong' });
    const why = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on User {
      signInAttempts(first: 1) { edges { node { id outcome reason occurredAt } } } } } }`;
    const asked = (token: string) => asking.ask(why, { of: [{ __typename: 'User', id: own.id }] }, token);
    for (const token of [auditor, own.accessToken]) {
      const { data } = await asked(token);
      expect(data._entities[0].signInAttempts.edges).toMatchObject([
        { node: { outcome: 'FAILED', reason: 'WRONG_PASSWORD' } },
      ]);
    }
    const { id } = (await asked(auditor)).data._entities[0].signInAttempts.edges[0].node;
    expect((await asked(other.accessToken)).data._entities[0].signInAttempts).toBeNull();
    const single = 'query ($id: ID!) { signInAttempt(id: $id) { id } }';
    expect((await asking.ask(single, { id }, own.accessToken)).data.signInAttempt).toEqual({ id });
    expect((await asking.ask(single, { id }, other.accessToken)).data.signInAttempt).toBeNull();
    expect((await asking.ask(single, { id }, rivalAuditor)).data.signInAttempt).toBeNull();
    expect(codesOf(await asking.ask(list, {}, own.accessToken))).toEqual(['FORBIDDEN']);
    expect(await attempts({ userId: own.id }, rivalAuditor)).toEqual([]);
    expect((await asked(rivalAuditor)).data._entities[0].signInAttempts.edges).toEqual([]);
  });

  test('The list is filtered and paged, and every attempt is on exactly one page.', async () => {
    const { id } = await asking.service.person('log-pages');
    for (const password of ['wrong', 'wrong', undefined, 'wrong'])
      await signIn(asking.service.browser(), client, 'log-pages', password === undefined ? {} : { password });
    expect(await attempts({ userId: id, outcome: 'SUCCEEDED' })).toHaveLength(1);
    expect(await attempts({ userId: id, reason: 'WRONG_PASSWORD' })).toHaveLength(3);
    expect(await attempts({ userId: id, clientId: 'another' })).toEqual([]);
    expect(await attempts({ userId: id, until: '2020-01-01T00:00:00Z' })).toEqual([]);
    const seen: string[] = [];
    for (let after: string | null = null, more = true; more; ) {
      const { data } = await asking.ask(list, { filter: { userId: id }, first: 3, after }, auditor);
      const { edges, pageInfo, totalCount } = data.signInAttempts;
      expect(totalCount).toBe(4);
      seen.push(...edges.map((edge: { node: Attempt }) => edge.node.id));
      ({ endCursor: after, hasNextPage: more } = pageInfo);
    }
    expect([seen.length, new Set(seen).size]).toEqual([4, 4]);
  });

  test('Attempts are deleted when their tenant no longer keeps them.', async () => {
    const { sql } = asking.service.deps.database;
    await asking.service.person('log-old');
    await signIn(asking.service.browser(), client, 'log-old');
    const count = async () =>
      (await sql.query<{ n: number }>('SELECT count(*)::int AS n FROM auth.sign_in_attempts')).rows[0]?.n;
    await sql.query("UPDATE auth.sign_in_attempts SET occurred_at = now() - interval '30 days'");
    const before = await count();
    await pruneExpired(sql);
    expect(await count()).toBe(before);
    await sql.query(
      `UPDATE auth.tenants SET policy = coalesce(policy, '{}') || '{"signInRetentionDays": 7}' WHERE id = $1`,
      [tenant],
    );
    await pruneExpired(sql);
    expect(await count()).toBe(0);
  });
});

test('Attempts without a known user are recorded ten times a minute for a network and tenant, and again after that.', async () => {
  let now = 0;
  const stored: string[] = [];
  const log = new SignInLog({
    insert: async (of, { reason }) => void stored.push(`${of} ${reason}`),
    clock: () => now,
    onError: (error) => expect(error).toBeUndefined(),
  });
  const attempt = { outcome: 'failed', reason: 'unknown_user', factors: ['password'] } as const;
  const fail = (ipAddress: string, of = tenant) => log.record(of, { ...attempt, ipAddress });
  await Promise.all(Array.from({ length: 40 }, () => fail('192.0.2.1')));
  expect(stored).toHaveLength(10);
  // IPv6 addresses of one /64 are one network.
  await Promise.all(Array.from({ length: 40 }, (_, n) => fail(`2001:db8::${n}`)));
  expect(stored).toHaveLength(20);
  await fail('192.0.2.1', rival);
  await log.record(tenant, {
    ...attempt,
    reason: 'wrong_password',
    subjectId: 'known',
    ipAddress: '192.0.2.1',
  });
  expect(stored.slice(20)).toEqual([`${rival} unknown_user`, `${tenant} wrong_password`]);
  now += 60_001;
  await fail('192.0.2.1');
  expect(stored).toHaveLength(23);
});

test('Thirty failed attempts of one user are recorded a minute, and each successful one.', async () => {
  let now = 0;
  const stored: string[] = [];
  const log = new SignInLog({
    insert: async (of, { subjectId, outcome }) => void stored.push(`${of} ${subjectId} ${outcome}`),
    clock: () => now,
    onError: (error) => expect(error).toBeUndefined(),
  });
  const failure = {
    outcome: 'failed',
    reason: 'passkey_rejected',
    factors: ['password', 'passkey'],
  } as const;
  const fail = (subjectId: string, network: number, of = tenant) =>
    log.record(of, { ...failure, subjectId, ipAddress: `192.0.2.${network}` });
  await Promise.all(Array.from({ length: 80 }, (_, n) => fail('ann', n)));
  expect(stored).toHaveLength(30);
  const success = { outcome: 'succeeded', factors: ['password'], ipAddress: '192.0.2.1' } as const;
  await log.record(tenant, { ...success, subjectId: 'ann' });
  await fail('bob', 1);
  await fail('ann', 1, rival);
  expect(stored.slice(30)).toEqual([
    `${tenant} ann succeeded`,
    `${tenant} bob failed`,
    `${rival} ann failed`,
  ]);
  now += 60_001;
  await fail('ann', 1);
  expect(stored).toHaveLength(34);
});
