import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { revocationExpiry } from '../../../src/tenancy/users/domain/revocation-feed.ts';
import { auth, type Credentials, setUpIntrospecting, twin } from '../../support/introspecting.ts';
import { basicHeader, publicClient, register } from '../../support/running-auth.ts';
import { ask, digestOf, Follower, orders, type Page, pageOf, resourceServer } from './follower.ts';

setUpIntrospecting();

let api: Credentials;
let rival: Credentials;
const invoices = 'https://invoices.example/';

beforeAll(async () => {
  api = await resourceServer();
  rival = await resourceServer({}, 'rival');
});

const append = (keys: readonly string[], tenant = 'demo') =>
  auth.database.transaction((tx) =>
    auth.deps.revocations.append(
      tx,
      keys.map((key) => ({ tenant, kind: 'jti', key, expiresAt: revocationExpiry(600) })),
    ),
  );
const revoke = async (keys: readonly string[], tenant = 'demo') =>
  auth.deps.revocations.publish(await append(keys, tenant));
const numbered = (name: string, count: number) => Array.from({ length: count }, (_, n) => `${name}-${n}`);
const digestsOf = ({ digest_key }: Page, keys: readonly string[]) =>
  keys.map((key) => digestOf(digest_key, 'jti', key)).toSorted();

describe('pages and cursors', () => {
  test('A follower gets all unexpired entries in pages, and with the cursor only new ones, at either process.', async () => {
    const first = numbered('first', 2_500);
    await revoke(first);
    const follower = new Follower({ by: api });
    await eventually(async () => (await follower.follow()).length > 0 || follower.entries.length > 0);
    const page = follower.page as Page;
    const known = follower.entries.map(({ digest }) => digest);
    expect(known.toSorted()).toEqual(expect.arrayContaining(digestsOf(page, first)));
    expect(new Set(known).size).toBe(known.length);
    expect(page).toMatchObject({ audience: orders, more: false });
    for (const at of [twin, auth, twin]) expect(await follower.follow({ at })).toEqual([]);
    await revoke(['second']);
    const found = await eventually(
      () => follower.follow({ at: twin }),
      (entries) => entries.length > 0,
    );
    expect(found.map(({ digest }) => digest)).toEqual(digestsOf(page, ['second']));
    for (const at of [auth, twin]) expect(await follower.follow({ at })).toEqual([]);
  });

  test('An entry that is appended while a follower fetches pages is in none of them and in the next reading.', async () => {
    await revoke(numbered('paged', 1_500));
    const begun = await eventually(
      () => pageOf({ by: api }),
      ({ more }) => more,
    );
    await revoke(['meanwhile']);
    const wanted = digestsOf(begun, ['meanwhile'])[0];
    const seen: string[] = [];
    let page = begun;
    while (page.more) {
      page = await pageOf({ by: api, query: { after: page.cursor } });
      seen.push(...page.entries.map(({ digest = '' }) => digest));
    }
    const next = await eventually(
      async () => {
        page = await pageOf({ by: api, query: { after: page.cursor } });
        seen.push(...page.entries.map(({ digest = '' }) => digest));
        return seen;
      },
      (all) => all.includes(String(wanted)),
    );
    expect(next.filter((digest) => digest === wanted)).toHaveLength(1);
  });

  test('An entry of a transaction that commits after later ones is returned exactly once.', async () => {
    const follower = new Follower({ by: api });
    await follower.follow();
    const { promise: held, resolve: commit } = Promise.withResolvers<void>();
    const appended = Promise.withResolvers<void>();
    const late = auth.database.transaction(async (tx) => {
      const entry = { tenant: 'demo', kind: 'jti', key: 'late', expiresAt: revocationExpiry(600) } as const;
      const entries = await auth.deps.revocations.append(tx, [entry]);
      appended.resolve();
      await held;
      return entries;
    });
    await appended.promise;
    await revoke(['early']);
    const seen = await eventually(
      () => follower.follow(),
      (found) => found.length > 0,
    );
    expect(seen).toHaveLength(1);
    expect(await follower.follow()).toEqual([]);
    commit();
    await auth.deps.revocations.publish(await late);
    const found = await eventually(
      () => follower.follow(),
      (entries) => entries.length > 0,
    );
    expect(found.map(({ digest }) => digest)).toEqual(digestsOf(follower.page as Page, ['late']));
    expect(await follower.follow()).toEqual([]);
  });

  test('The cursor of another tenant or audience, a changed one and one of a previous format are rejected.', async () => {
    const both = await resourceServer({ protected_resources: [orders, invoices] });
    const [own, foreign, other] = await Promise.all([
      pageOf({ by: api }),
      pageOf({ by: rival, tenant: 'rival' }),
      pageOf({ by: both, query: { audience: invoices } }),
    ]);
    expect(new Set([own, foreign, other].map(({ digest_key }) => digest_key)).size).toBe(3);
    const changed = `${own.cursor.slice(0, -4)}AAAA`;
    for (const after of [foreign.cursor, other.cursor, changed, own.cursor.slice(0, 40), '123-456.789', 'x'])
      expect(await ask({ by: api, query: { after } })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    const again = await ask({ by: both, query: { audience: orders, after: own.cursor } });
    expect(again.status).toBe(200);
  });

  test('The cursor discloses no transaction id.', async () => {
    const { cursor } = await pageOf({ by: api });
    const { rows } = await auth.database.sql.query<{ xmin: string }>(
      'SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS xmin',
    );
    const readable = Buffer.from(cursor, 'base64url').toString('latin1');
    for (const text of [cursor, readable]) expect(text).not.toContain(String(rows[0]?.xmin));
  });

  test('A page states up to which time it is complete, relative to the arrival of its request.', async () => {
    const follower = new Follower({ by: api });
    await follower.follow();
    expect(follower.page?.complete_after_ms).toBeGreaterThan(-60_000);
    await revoke(numbered('many', 1_100));
    const partial = await eventually(
      () => pageOf({ by: api }),
      ({ more }) => more,
    );
    expect(partial).not.toHaveProperty('complete_after_ms');
  });
});

describe('who may follow', () => {
  test('Another tenant’s server of the same resource gets only entries of its own tenant.', async () => {
    await revoke(['of-demo']);
    await revoke(['of-rival'], 'rival');
    const followers = {
      demo: new Follower({ by: api }),
      rival: new Follower({ by: rival, tenant: 'rival' }),
    };
    const has = (tenant: 'demo' | 'rival', key: string) => {
      const { entries, page } = followers[tenant];
      return entries.some(({ digest }) => digest === digestOf(page?.digest_key ?? '', 'jti', key));
    };
    await eventually(async () => {
      await Promise.all([followers.demo.follow(), followers.rival.follow()]);
      return has('demo', 'of-demo') && has('rival', 'of-rival');
    });
    expect([has('demo', 'of-rival'), has('rival', 'of-demo')]).toEqual([false, false]);
    expect((await ask({ by: rival })).status).toBe(401);
    expect((await ask({ by: api, tenant: 'rival' })).status).toBe(401);
  });

  test('A client that serves no resource, several without a choice, the tenant’s own API, or another client’s resource gets invalid_target.', async () => {
    const none = await resourceServer({ protected_resources: [] });
    const own = await resourceServer({ protected_resources: ['urn:ostiary:tenant-api'] });
    const several = await resourceServer({ protected_resources: [orders, invoices] });
    const refusals = await Promise.all([
      ask({ by: none }),
      ask({ by: none, query: { audience: orders } }),
      ask({ by: own }),
      ask({ by: own, query: { audience: 'urn:ostiary:tenant-api' } }),
      ask({ by: own, query: { audience: auth.issuer('demo') } }),
      ask({ by: several }),
      ask({ by: api, query: { audience: invoices } }),
      ask({ by: api, query: { audience: 'https://unknown.example' } }),
      ask({ by: api, query: { audience: 'not a URI' } }),
      auth.get(`/t/demo/revocations?audience=${orders}&audience=${orders}`, {
        authorization: basicHeader(...api),
      }),
    ]);
    for (const { status, body } of refusals) expect([status, body.error]).toEqual([400, 'invalid_target']);
    expect(new Set(refusals.map(({ body }) => body.error_description)).size).toBe(1);
  });

  test('A resource with an empty path is found with and without a slash, and is named as registered.', async () => {
    const by = await resourceServer({ protected_resources: [invoices] });
    for (const audience of [invoices, 'https://invoices.example'])
      expect(await pageOf({ by, query: { audience } })).toMatchObject({ audience: invoices });
  });

  test('A public client, a wrong secret, no credentials and a disabled client get 401.', async () => {
    const { client } = await register(auth, publicClient);
    const disabled = await resourceServer();
    await auth.deps.clientRegistry.disable('demo', disabled[0]);
    const answers = await Promise.all([
      auth.get(`/t/demo/revocations?client_id=${client.clientId}`),
      auth.get('/t/demo/revocations'),
      ask({ by: [api[0], 'wrong'] }),
      ask({ by: disabled }),
      auth.post('/t/demo/revocations', { client_id: client.clientId }),
    ]);
    for (const { status, body } of answers) expect([status, body.error]).toEqual([401, 'invalid_client']);
  });

  test('A client authenticates in the header of both methods, and in the body of POST only.', async () => {
    const inBody = await resourceServer({ token_endpoint_auth_method: 'client_secret_post' });
    const fields = { client_id: inBody[0], client_secret: inBody[1] };
    expect((await auth.post('/t/demo/revocations', fields)).status).toBe(200);
    expect((await auth.post('/t/demo/revocations', {}, { basic: api })).status).toBe(200);
    const inQuery = await auth.get(`/t/demo/revocations?${new URLSearchParams(fields)}`);
    expect([inQuery.status, inQuery.body.error]).toEqual([400, 'invalid_request']);
  });
});

describe('malformed requests', () => {
  test.each([
    ['after twice', 'after=a&after=b'],
    ['a cursor that is too long', `after=${'a'.repeat(9_000)}`],
    ['invalid UTF-8', 'audience=%ff'],
    ['a NUL', 'after=%00'],
    ['a resource with a NUL', 'audience=https%3a%2f%2forders.example%2fv1%00'],
    ['a resource that is too long', `audience=https://${'a'.repeat(3_000)}`],
    ['a truncated encoding', 'audience=%'],
    ['an assertion in the query', 'client_assertion=x'],
    ['too many parameters', Array.from({ length: 101 }, (_, n) => `p${n}=1`).join('&')],
  ])('A query with %s gets invalid_request.', async (_, query) => {
    const { status, body } = await auth.get(`/t/demo/revocations?${query}`, {
      authorization: basicHeader(...api),
    });
    expect([status, body.error]).toEqual([400, 'invalid_request']);
  });

  test.each(['wait', 'wait=', 'wait=-1', 'wait=soon', 'wait=1e9', 'respond-async', ',,;='])(
    'The preference "%s" is ignored (RFC 7240 §2).',
    async (prefer) => {
      const { cursor } = await pageOf({ by: api });
      const answer = await ask({ by: api, query: { after: cursor }, prefer });
      expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null]);
    },
  );

  test('Other methods get 405, an unknown tenant 404, and every response is uncacheable.', async () => {
    const method = await fetch(`${auth.origin}/t/demo/revocations`, { method: 'DELETE' });
    expect([method.status, method.headers.get('allow')]).toEqual([405, 'GET, POST, OPTIONS']);
    expect((await ask({ by: api, tenant: 'nobody' })).status).toBe(404);
    for (const answer of [await ask({ by: api }), await ask({ by: [api[0], 'wrong'] })])
      expect(answer.headers.get('cache-control')).toBe('no-store');
    const head = await fetch(`${auth.origin}/t/demo/revocations`, {
      method: 'HEAD',
      headers: { authorization: basicHeader(...api), accept: 'text/event-stream' },
    });
    expect(head.status).toBe(200);
  });
});
