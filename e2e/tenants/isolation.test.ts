import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { graph, meQuery } from '../support/graph.ts';
import { groupSchema, ScimClient, userSchema } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
const nobody = '01900000-0000-7000-8000-000000000000';

let scim: ScimClient;
let intruder: ScimClient;
let victim: string;
let group: string;

beforeAll(async () => {
  scim = new ScimClient(tenant, tenant.clients.scim.token);
  intruder = new ScimClient(rival, rival.clients.scim.token);
  victim = (await scim.createUser({ userName: unique('victim'), externalId: unique('victim') })).id;
  group = (await scim.call('POST', '/Groups', { schemas: [groupSchema], displayName: unique('Secret') })).body
    .id;
});

/** Replaces the requested id, so that responses for two ids can be compared. */
const without = (value: unknown, id: string): string => JSON.stringify(value).replaceAll(id, '<id>');

describe('ids of another tenant are answered like unknown ids', () => {
  test.each([
    ['GET', undefined],
    ['DELETE', undefined],
    ['PUT', { schemas: [userSchema], userName: 'x' }],
    [
      'PATCH',
      {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
        Operations: [{ op: 'replace', path: 'active', value: false }],
      },
    ],
  ])(
    'The SCIM request %s /Users/{id} for a user of another tenant is answered like one for an unknown id.',
    async (method, body) => {
      const [ours, none] = await Promise.all(
        [victim, nobody].map((id) => intruder.call(method, `/Users/${id}`, body)),
      );
      expect(ours?.status).toBe(404);
      expect(none?.status).toBe(404);
      expect(without(ours?.body, victim)).toBe(without(none?.body, nobody));
    },
  );

  test('SCIM groups, filters and members treat an id of another tenant like an unknown id.', async () => {
    const [ours, none] = await Promise.all(
      [group, nobody].map((id) => intruder.call('GET', `/Groups/${id}`)),
    );
    expect(without(ours, group)).toBe(without(none, nobody));
    const filter = encodeURIComponent(`id eq "${victim}"`);
    expect((await intruder.call('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0);

    const own = await intruder.call('POST', '/Groups', {
      schemas: [groupSchema],
      displayName: unique('Own'),
    });
    const add = (value: string) =>
      intruder.patch(`/Groups/${own.body.id}`, [{ op: 'add', path: 'members', value: [{ value }] }]);
    const [foreign, missing] = [await add(victim), await add(nobody)];
    expect(foreign.status).toBe(400);
    expect(foreign.body.scimType).toBe('invalidValue');
    expect(without(foreign.body, victim)).toBe(without(missing.body, nobody));
  });

  test('Queries and mutations in the graph treat an id of another tenant like an unknown id.', async () => {
    const token = await adminToken(rival);
    const documents = [
      'query ($id: ID!) { user(id: $id) { id userName sessions { id } provisioning { externalId } } }',
      'query ($id: ID!) { group(id: $id) { id displayName } }',
      'mutation ($id: ID!) { deactivateUser(input: { id: $id }) { user { id } } }',
      'mutation ($id: ID!) { deleteUser(input: { id: $id }) { id } }',
      'mutation ($id: ID!) { revokeAllSessions(input: { userId: $id }) { user { id } } }',
    ];
    for (const document of documents) {
      for (const id of [victim, group]) {
        const [ours, none] = await Promise.all(
          [id, nobody].map((asked) => graph(demo, token, document, { id: asked })),
        );
        expect(without({ data: ours?.data, errors: ours?.errors }, id)).toBe(
          without({ data: none?.data, errors: none?.errors }, nobody),
        );
        expect(ours?.errors.map((error) => error.extensions?.code)).not.toContain(
          'GRAPHQL_VALIDATION_FAILED',
        );
        expect(JSON.stringify(ours?.data ?? null)).not.toContain('victim');
      }
    }
    expect((await scim.call('GET', `/Users/${victim}`)).body.active).not.toBe(false);
  });
});

describe('tokens of another tenant', () => {
  test('A connector token and an access token of another tenant get 401 from the SCIM endpoint.', async () => {
    const stranger = await new ScimClient(tenant, 'ost_scim_nonsense').call('GET', `/Users/${victim}`);
    for (const token of [rival.clients.scim.token, await adminToken(rival)]) {
      const answer = await new ScimClient(tenant, token).call('GET', `/Users/${victim}`);
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(stranger.body);
    }
  });

  test('Over REST, userinfo, introspection and the token endpoint reject the tokens of another tenant.', async () => {
    const { tokens } = await signIn(demo, rival, rival.users.alice);
    const userinfo = await fetch(`${tenant.issuer}/userinfo`, {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(userinfo.status).toBe(401);

    const basic = (c: { client_id: string; client_secret: string }) =>
      `Basic ${Buffer.from(`${encodeURIComponent(c.client_id)}:${encodeURIComponent(c.client_secret)}`).toString('base64')}`;
    const introspect = await fetch(`${tenant.issuer}/introspect`, {
      method: 'POST',
      headers: { authorization: basic(tenant.clients.api) },
      body: new URLSearchParams({ token: tokens.access_token }),
    });
    expect(await introspect.json()).toEqual({ active: false });

    const foreign = await fetch(`${tenant.issuer}/token`, {
      method: 'POST',
      headers: { authorization: basic(rival.clients.admin) },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(foreign.status).toBe(401);
    expect(await foreign.json()).toMatchObject({ error: 'invalid_client' });

    const refresh = await fetch(`${tenant.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: tenant.clients.web.client_id,
        refresh_token: tokens.refresh_token ?? '',
      }),
    });
    expect(await refresh.json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('A user of another tenant sees only their own account.', async () => {
    const { tokens, subject } = await signIn(demo, rival, rival.users.alice);
    expect((await graph(demo, tokens.access_token, meQuery)).data.me.id).toBe(subject);
    const ours = await graph(demo, tokens.access_token, `{ user(id: "${victim}") { id } }`);
    expect(ours.data?.user ?? null).toBeNull();
  });

  test('The internal routes are not reachable from outside.', async () => {
    for (const path of [
      '/internal/v1/revocations',
      '/t/demo/../../internal/v1/revocations',
      '/t/%2e%2e/internal/v1/revocations',
      '/t/demo/..%2f..%2finternal/v1/revocations',
      '//internal/v1/revocations',
    ]) {
      const response = await fetch(`${demo.origin}${path}`, {
        headers: { authorization: `Bearer ${await adminToken(tenant)}` },
      });
      expect([400, 404]).toContain(response.status);
    }
  });
});
