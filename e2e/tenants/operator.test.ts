import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { connect, listen } from '../support/live.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
const secrets = JSON.parse(
  readFileSync(join(dirname(process.env.OSTIARY_E2E as string), 'secrets.json'), 'utf8'),
) as Record<string, string>;

const system = process.env.OSTIARY_E2E_SYSTEM;
const auth = system
  ? (JSON.parse(readFileSync(system, 'utf8')) as { urls: { auth: string } }).urls.auth
  : `http://127.0.0.1:${Number(new URL(demo.origin).port) + 1}`;

/** Requests an operator token directly from auth, because the edge does not serve the issuer of the platform. */
async function operatorToken(resource: string, client = 'operator', secret = secrets.OPERATOR_CLIENT_SECRET) {
  const response = await fetch(`${auth}/t/platform/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${client}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
  });
  return (await response.json()) as { access_token: string; error?: string };
}

let operator: string;
beforeAll(async () => {
  operator = (await operatorToken(`${demo.origin}/graphql`)).access_token;
});

const codes = ({ errors }: { errors: { extensions?: { code?: string } }[] }) =>
  errors.map((error) => error.extensions?.code);

describe("the installation's operator", () => {
  test('The operator creates a tenant, whose issuer works immediately, and suspends it.', async () => {
    const id = unique('made').toLowerCase().slice(0, 60);
    const made = await graph(
      demo,
      operator,
      'mutation ($id: ID!) { createTenant(input: { id: $id, name: "Made" }) { tenant { id status } problems { code } } }',
      { id },
    );
    expect(made).toMatchObject({
      errors: [],
      data: { createTenant: { tenant: { id, status: 'ACTIVE' }, problems: [] } },
    });
    const metadata = await fetch(`${demo.origin}/t/${id}/.well-known/openid-configuration`);
    expect(((await metadata.json()) as { issuer: string }).issuer).toBe(`${demo.origin}/t/${id}`);
    const suspended = await graph(
      demo,
      operator,
      'mutation ($id: ID!) { suspendTenant(input: { id: $id }) { tenant { status } } }',
      { id },
    );
    expect(suspended.data.suspendTenant.tenant.status).toBe('SUSPENDED');
    const { data } = await graph(demo, operator, '{ tenants(first: 100) { edges { node { id status } } } }');
    expect(data.tenants.edges).toContainEqual({ node: { id, status: 'SUSPENDED' } });
  });

  test('The operator acts in one tenant only, by a token for its graph, and the log of the tenant records it.', async () => {
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const { id } = await scim.createUser({ userName: unique('operated') });
    const inDemo = (await operatorToken(`${tenant.issuer}/graphql`)).access_token;
    const inRival = (await operatorToken(`${rival.issuer}/graphql`)).access_token;
    const read = 'query ($id: ID!) { user(id: $id) { id sessions { id } provisioning { externalId } } }';
    expect((await graph(demo, operator, read, { id })).data?.user ?? null).toBeNull();
    expect((await graph(demo, inRival, read, { id })).data.user).toBeNull();
    const found = await graph(demo, inDemo, read, { id });
    expect(found).toMatchObject({ errors: [], data: { user: { id, sessions: [] } } });
    await graph(
      demo,
      inDemo,
      'mutation ($id: ID!) { deactivateUser(input: { id: $id }) { problems { code } } }',
      { id },
    );
    const log = `query ($id: ID!) { auditLog(first: 2, filter: { resourceId: $id }) { edges { node { action address traceId
      actor { __typename kind id: actorId ... on ConnectorActor { connector { name } } } } } } }`;
    const { data, errors } = await graph(demo, await adminToken(tenant), log, { id });
    expect(errors).toEqual([]);
    const [deactivated, created] = data.auditLog.edges.map(({ node }: { node: object }) => node);
    expect(deactivated).toMatchObject({
      action: 'user.deactivated',
      actor: { __typename: 'ServiceActor', kind: 'SERVICE', id: 'operator' },
    });
    expect(deactivated.address).toMatch(/^(127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)$/);
    // The directory stores the actor's id; another subgraph resolves its name.
    expect(created).toMatchObject({
      actor: { __typename: 'ConnectorActor', connector: { name: expect.any(String) } },
    });
    const { status } = await fetch(`${rival.issuer}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${inDemo}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    expect(status).toBe(401);
  });

  test('The operator gets events of a tenant until the token is revoked or the tenant is suspended.', async () => {
    const id = unique('heard').toLowerCase().slice(0, 60);
    const create =
      'mutation ($id: ID!) { createTenant(input: { id: $id, name: "Heard" }) { problems { code } } }';
    expect((await graph(demo, operator, create, { id })).errors).toEqual([]);
    const [revoked, kept] = await Promise.all(
      [1, 2].map(() => operatorToken(`${demo.origin}/t/${id}/graphql`)),
    );
    const hear = { query: 'subscription { userChanged { userId user { userName } } }' };
    const [first, second] = await Promise.all(
      [revoked, kept].map((token) => listen(demo.graphql, token?.access_token ?? '', hear)),
    );
    const socket = connect(demo.graphql, { authorization: `Bearer ${kept?.access_token}` });
    const third = socket.subscribe(hear);
    await socket.acknowledged;
    const userName = unique('heard-of');
    const made = await graph(
      demo,
      kept?.access_token ?? '',
      'mutation ($userName: String!) { createUser(input: { userName: $userName }) { user { id } problems { code } } }',
      { userName },
    );
    expect(made.data.createUser.problems).toEqual([]);
    const notified = { data: { userChanged: { userId: made.data.createUser.user.id, user: { userName } } } };
    expect(await first?.find(() => true)).toMatchObject(notified);

    await fetch(`${auth}/t/platform/revoke`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`operator:${secrets.OPERATOR_CLIENT_SECRET}`).toString('base64')}`,
      },
      body: new URLSearchParams({ token: revoked?.access_token ?? '' }),
    });
    await first?.ended;
    expect(codes({ errors: first?.results.at(-1)?.errors ?? [] })).toEqual(['UNAUTHENTICATED']);
    expect(await second?.find(() => true)).toMatchObject(notified);
    expect(second?.results).toHaveLength(1);

    const suspend = 'mutation ($id: ID!) { suspendTenant(input: { id: $id }) { tenant { status } } }';
    expect((await graph(demo, operator, suspend, { id })).errors).toEqual([]);
    await second?.ended;
    expect((await socket.closed).code).toBe(4403);
    for (const subscriber of [second, third]) {
      expect(codes({ errors: subscriber?.results.at(-1)?.errors ?? [] })).toEqual(['FORBIDDEN']);
    }
  });

  test('Tenants and services cannot get an operator token.', async () => {
    const own = await adminToken(tenant);
    expect(codes(await graph(demo, own, '{ tenants { totalCount } }'))).toEqual(['FORBIDDEN']);
    const gateway = await operatorToken(
      `${tenant.issuer}/graphql`,
      'gateway',
      secrets.SERVICE_CLIENT_SECRET_GATEWAY,
    );
    expect(gateway).toMatchObject({ error: 'invalid_target' });
    const whole = await operatorToken(
      `${demo.origin}/graphql`,
      'gateway',
      secrets.SERVICE_CLIENT_SECRET_GATEWAY,
    );
    expect(codes(await graph(demo, whole.access_token, '{ tenants { totalCount } }'))).toEqual(['FORBIDDEN']);
  });
});

describe('node', () => {
  test('The node field returns objects of every subgraph, and none of another tenant.', async () => {
    const query = `query ($id: ID!) { node(id: $id) { id
      ... on Client { name } ... on User { userName sessions { id } } } }`;
    const id = tenant.clients.web.client_id;
    const own = await graph(demo, await adminToken(tenant), query, { id });
    expect(own).toMatchObject({ errors: [], data: { node: { id, name: expect.any(String) } } });
    const foreign = await graph(demo, await adminToken(rival), query, { id });
    expect(foreign.data?.node).toBeNull();
  });
});
