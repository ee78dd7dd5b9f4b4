import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { actingAgent } from '../../support/agents/acting-agent.ts';
import { type Asking, codesOf, startAsking } from '../../support/sign-in/asking.ts';
import { rival, tenant } from '../../support/sign-in/service.ts';

let asking: Asking;
let admin: string;
let rivalAdmin: string;
const scopes =
  'clients:read clients:write sessions:read sessions:write tenants:read users:read users:write roles:write webhooks:read webhooks:write audit:read';

beforeAll(async () => {
  asking = await startAsking();
  admin = await asking.machine(scopes);
  rivalAdmin = await asking.machine(scopes, rival);
});
afterAll(() => asking.service.stop());

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Json = any;

/** Creates one object of each type of this service, for a signed-in user, and returns the ids. */
async function oneOfEach(): Promise<{ person: Json; ids: Record<string, string> }> {
  const acting = await actingAgent(asking.service, 'holder');
  const person = acting.user;
  const data = async (query: string, variables: object = {}, token = admin): Promise<Json> => {
    const answer = await asking.ask(query, variables, token);
    expect(answer.errors).toBeUndefined();
    return answer.data;
  };
  const made = await data(
    `mutation {
      createServiceAccount(input: { name: "robot", scopes: ["users:read"] }) { serviceAccount { id } }
      createInitialAccessToken(input: { name: "partner" }) { initialAccessToken { id } }
      registerApi(input: { identifier: "https://orders.example/v1", name: "Orders" }) { api { id } }
      registerClient(input: { name: "App", tokenEndpointAuthMethod: CLIENT_SECRET_BASIC, scopes: [],
        grantTypes: ["client_credentials", "urn:ietf:params:oauth:grant-type:jwt-bearer"] }) { client { id } }
      createWebhook(input: { name: "hook", endpoint: "https://receiver.example/", types: [USER_UPDATED] }) { webhook { id } problems { message } } }`,
  );
  const serviceAccount = made.createServiceAccount.serviceAccount.id;
  const client = made.registerClient.client.id;
  const key = await data(
    'mutation ($id: ID!) { createApiKey(input: { serviceAccountId: $id, name: "key" }) { apiKey { id } } }',
    { id: serviceAccount },
  );
  const personal = await data(
    'mutation { createPersonalAccessToken(input: { name: "script" }) { personalAccessToken { id } } }',
    {},
    person.accessToken,
  );
  const issuer = await data(
    `mutation ($client: ID!) { createTrustedIssuer(input: { name: "P", issuer: "https://p.example", jwksUri: "https://p.example/jwks",
      clientIds: [$client], scopes: ["users:read"] }) { trustedIssuer { id } problems { message } } }`,
    { client },
  );
  const listed = await data(
    `query ($id: ID!) { signingKeys { id } securityLog(first: 1, filter: { userId: $id }) { edges { node { id } } }
      sessions(filter: { userId: $id }) { edges { node { id } } } grants(filter: { userId: $id }) { edges { node { id } } } }`,
    { id: person.id },
  );
  return {
    person,
    ids: {
      Client: client,
      Api: made.registerApi.api.id,
      ServiceAccount: serviceAccount,
      ApiKey: key.createApiKey.apiKey.id,
      PersonalAccessToken: personal.createPersonalAccessToken.personalAccessToken.id,
      InitialAccessToken: made.createInitialAccessToken.initialAccessToken.id,
      TrustedIssuer: issuer.createTrustedIssuer.trustedIssuer.id,
      Webhook: made.createWebhook.webhook.id,
      SigningKey: listed.signingKeys[0].id,
      SecurityEvent: listed.securityLog.edges[0].node.id,
      Session: listed.sessions.edges[0].node.id,
      Grant: listed.grants.edges[0].node.id,
      Delegation: acting.delegationId,
    },
  };
}

test('Each node is reported with its type, is resolved by its key, and is hidden from other users and tenants.', async () => {
  const { person, ids } = await oneOfEach();
  const question = (of: string, by: 'directory' | 'gateway' = 'directory') =>
    asking.service.internal(
      'POST',
      `/tenants/${of}/nodes`,
      { ids: [...Object.values(ids), randomUUID(), 'x\u0000', "' OR 1=1", ''] },
      by,
    );
  const owned = new Set(['Session', 'Grant', 'Delegation', 'PersonalAccessToken', 'SecurityEvent']);
  const known = (await question(tenant)).body as { nodes: Json[] };
  expect(new Map(known.nodes.map(({ id, type, ownerId }) => [type, [id, ownerId]]))).toEqual(
    new Map(Object.entries(ids).map(([type, id]) => [type, [id, owned.has(type) ? person.id : null]])),
  );
  expect((await question(rival)).body).toEqual({ nodes: [] });
  expect((await question('nobody')).status).toBe(404);
  expect((await question(tenant, 'gateway')).status).toBe(403);

  const resolved = async (token: string): Promise<Json> =>
    asking.ask(
      `query ($r: [_Any!]!) { _entities(representations: $r) { __typename
        ... on Session { id createdAt } ... on Grant { id clientId } ... on Delegation { id clientId } ... on ApiKey { id hint } ... on PersonalAccessToken { id hint }
        ... on SigningKey { id state } ... on TrustedIssuer { id issuer } ... on InitialAccessToken { id name }
        ... on Api { id identifier } } }`,
      { r: Object.entries(ids).map(([__typename, id]) => ({ __typename, id })) },
      token,
    );
  const all = await resolved(admin);
  expect(all.errors).toBeUndefined();
  expect(all.data._entities.map((entity: Json) => entity.__typename)).toEqual(Object.keys(ids));
  for (const entity of (await resolved(rivalAdmin)).data._entities) expect(entity?.id).toBeUndefined();

  const mine = await resolved(person.accessToken);
  const byType = (answer: Json, type: string) =>
    answer.data._entities[Object.keys(ids).indexOf(type)] as Json;
  for (const type of ['Session', 'Grant', 'Delegation', 'PersonalAccessToken'])
    expect(byType(mine, type).id).toBe(ids[type]);
  const other = await asking.signedIn('somebody');
  const theirs = await resolved(other.accessToken);
  for (const type of ['Session', 'Grant', 'Delegation', 'PersonalAccessToken'])
    expect(byType(theirs, type)).toBeNull();
  expect(new Set(codesOf(theirs))).toEqual(new Set(['FORBIDDEN']));
});

test('A plain list ends at a hundred entries, and its connection continues to the last.', async () => {
  const person = await asking.signedIn('busy');
  const { sql } = asking.service.deps.database;
  await sql.query(
    `INSERT INTO auth.sessions (tenant, subject_id, id, digest, amr, auth_time, expires_at)
     SELECT tenant, subject_id, gen_random_uuid(), decode(md5(n::text), 'hex'), amr, auth_time, expires_at
       FROM auth.sessions, generate_series(1, 104) n WHERE tenant = $1 AND subject_id = $2`,
    [tenant, person.id],
  );
  await sql.query(
    `INSERT INTO auth.grants (tenant, id, subject_id, client_id, session_id, subject_epoch, client_epoch, scopes, expires_at)
     SELECT tenant, gen_random_uuid(), subject_id, client_id, session_id, subject_epoch, client_epoch, scopes, expires_at
       FROM auth.grants, generate_series(1, 104) WHERE tenant = $1 AND subject_id = $2`,
    [tenant, person.id],
  );
  const query = `query ($r: [_Any!]!, $after: String) { _entities(representations: $r) { ... on User { sessions { id } grants { id }
    sessionsConnection(first: 100, after: $after) { totalCount pageInfo { hasNextPage endCursor } edges { node { id } } }
    grantsConnection(first: 100) { totalCount pageInfo { hasNextPage } edges { node { id } } } } } }`;
  const read = async (after?: string, token = person.accessToken) =>
    (await asking.ask(query, { r: [{ __typename: 'User', id: person.id }], after }, token)).data._entities[0];
  const first = await read();
  expect([first.sessions.length, first.grants.length]).toEqual([100, 100]);
  for (const all of [first.sessionsConnection, first.grantsConnection]) {
    expect(all).toMatchObject({ totalCount: 105, pageInfo: { hasNextPage: true } });
  }
  const { edges, pageInfo } = (await read(first.sessionsConnection.pageInfo.endCursor)).sessionsConnection;
  expect([edges.length, pageInfo.hasNextPage]).toEqual([5, false]);
  const theirs = await read(undefined, rivalAdmin);
  expect([theirs?.sessions ?? [], theirs?.sessionsConnection?.edges ?? []]).toEqual([[], []]);
});
