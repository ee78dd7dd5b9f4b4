import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { apiScopes } from '@ostiary/access';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { runningDemo } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { models } from './doors.ts';
import { inParallel } from './matrix.ts';
import { clientToken } from './processes.ts';
import { type Actor, createWorld, type World } from './world.ts';

jest.setTimeout(180_000);

let world: World;
beforeAll(async () => {
  world = await createWorld(runningDemo());
});

const scopes = Object.keys(apiScopes);
const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Scopes in an access token: what it opens. */
const scopesIn = (token: string): string[] =>
  (
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { scope?: string }
  ).scope?.split(' ') ?? [];
const held = (actor: Actor): Set<string> => new Set(actor.token ? scopesIn(actor.token) : []);

async function change(actor: Actor, name: string, type: string, input: object, shown: string) {
  const { data, errors } = await graph(
    world.demo,
    actor.token ?? '',
    `mutation ($input: ${type}!) { it: ${name}(input: $input) { ${shown} } }`,
    { input },
  );
  return {
    made: errors.length === 0 ? data.it : undefined,
    code: errors[0]?.extensions?.code as string | undefined,
  };
}

/** What somebody got hold of, in the scopes that it opens; undefined when it was refused. */
type Obtain = (actor: Actor, wanted: readonly string[]) => Promise<readonly string[] | undefined>;

const machine = { grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC' };
const asClient = async (made: { client: { id: string }; clientSecret: string } | undefined) =>
  made &&
  scopesIn(
    await clientToken(world.tenant.issuer, { client_id: made.client.id, client_secret: made.clientSecret }),
  );
const everything = (): Actor => {
  const found = world.actors.find(({ name }) => name === 'app:*');
  if (!found) throw new Error('nobody may do everything');
  return found;
};
/** What an API token opens is asked of every door that has a scope of its own. */
const doors: Readonly<Record<string, string>> = {
  'users:read': '{ users(first: 1) { totalCount } }',
  'groups:read': '{ groups(first: 1) { totalCount } }',
  'sessions:read': '{ sessions(first: 1) { totalCount } }',
  'clients:read': '{ clients(first: 1) { totalCount } }',
  'connectors:read': '{ connectors(first: 1) { totalCount } }',
  'provisioning:read': '{ provisioningLog(first: 1) { edges { node { id } } } }',
  'audit:read': '{ auditLog(first: 1) { edges { node { id } } } }',
  'webhooks:read': '{ webhooks(first: 1) { totalCount } }',
};
async function openedBy(token: string | undefined): Promise<string[] | undefined> {
  if (token === undefined) return undefined;
  const opened: string[] = [];
  for (const [scope, query] of Object.entries(doors))
    if ((await graph(world.demo, token, query)).errors.length === 0) opened.push(scope);
  return opened;
}

/** A way to each credential that there is, by the mutation that gives it: obtained, used, and told what it opens. */
const ways: Readonly<Record<string, Obtain>> = {
  registerClient: async (actor, wanted) =>
    asClient(
      (
        await change(
          actor,
          'registerClient',
          'RegisterClientInput',
          { name: 'x', ...machine, scopes: wanted },
          'client { id } clientSecret',
        )
      ).made,
    ),
  updateClient: async (actor, wanted) => {
    const own = (
      await change(
        everything(),
        'registerClient',
        'RegisterClientInput',
        { name: 'x', ...machine, scopes: [] },
        'client { id } clientSecret',
      )
    ).made;
    const { made } = await change(
      actor,
      'updateClient',
      'UpdateClientInput',
      { id: own.client.id, scopes: wanted },
      'client { id }',
    );
    return made && asClient(own);
  },
  rotateClientSecret: async (actor, wanted) => {
    const theirs = (
      await change(
        everything(),
        'registerClient',
        'RegisterClientInput',
        { name: 'x', ...machine, scopes: wanted },
        'client { id }',
      )
    ).made;
    return asClient(
      (
        await change(
          actor,
          'rotateClientSecret',
          'RotateClientSecretInput',
          { id: theirs.client.id },
          'client { id } clientSecret',
        )
      ).made,
    );
  },
  enableClient: async (actor, wanted) => {
    const theirs = (
      await change(
        everything(),
        'registerClient',
        'RegisterClientInput',
        { name: 'x', ...machine, scopes: wanted },
        'client { id } clientSecret',
      )
    ).made;
    await change(everything(), 'disableClient', 'ClientInput', { id: theirs.client.id }, 'client { id }');
    const { made } = await change(
      actor,
      'enableClient',
      'ClientInput',
      { id: theirs.client.id },
      'client { id }',
    );
    return made && asClient(theirs);
  },
  createInitialAccessToken: async (actor, wanted) => {
    const { made } = await change(
      actor,
      'createInitialAccessToken',
      'CreateInitialAccessTokenInput',
      { name: 'x', scopes: wanted },
      'token',
    );
    if (!made) return undefined;
    const response = await fetch(`${world.tenant.issuer}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${made.token}` },
      body: JSON.stringify({
        client_name: 'x',
        grant_types: ['client_credentials'],
        scope: wanted.join(' '),
      }),
    });
    const client = (await response.json()) as { client_id: string; client_secret: string };
    return scopesIn(await clientToken(world.tenant.issuer, client));
  },
  createServiceAccount: async (actor, wanted) => {
    const { made } = await change(
      actor,
      'createServiceAccount',
      'CreateServiceAccountInput',
      { name: 'x', scopes: wanted },
      'serviceAccount { id scopes }',
    );
    return made?.serviceAccount.scopes;
  },
  updateServiceAccount: async (actor, wanted) => {
    const theirs = (
      await change(
        everything(),
        'createServiceAccount',
        'CreateServiceAccountInput',
        { name: 'x', scopes: [] },
        'serviceAccount { id }',
      )
    ).made;
    const { made } = await change(
      actor,
      'updateServiceAccount',
      'UpdateServiceAccountInput',
      { id: theirs.serviceAccount.id, scopes: wanted },
      'serviceAccount { scopes }',
    );
    return made?.serviceAccount.scopes;
  },
  createApiKey: async (actor, wanted) => {
    const theirs = (
      await change(
        everything(),
        'createServiceAccount',
        'CreateServiceAccountInput',
        { name: 'x', scopes: wanted },
        'serviceAccount { id }',
      )
    ).made;
    return openedBy(
      (
        await change(
          actor,
          'createApiKey',
          'CreateApiKeyInput',
          { serviceAccountId: theirs.serviceAccount.id, name: 'x' },
          'token',
        )
      ).made?.token,
    );
  },
  addServiceAccountKey: async (actor, wanted) => {
    const theirs = (
      await change(
        everything(),
        'createServiceAccount',
        'CreateServiceAccountInput',
        { name: 'x', scopes: wanted },
        'serviceAccount { id }',
      )
    ).made;
    const { id } = theirs.serviceAccount;
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = JSON.stringify({ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' });
    const { made } = await change(
      actor,
      'addServiceAccountKey',
      'AddServiceAccountKeyInput',
      { serviceAccountId: id, jwk },
      'publicKey { id }',
    );
    if (!made) return undefined;
    const assertion = await new SignJWT({ jti: crypto.randomUUID() })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(id)
      .setSubject(id)
      .setAudience(world.tenant.issuer)
      .setIssuedAt()
      .setExpirationTime('1m')
      .sign(privateKey);
    const response = await fetch(`${world.tenant.issuer}/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: bearerGrant, assertion }),
    });
    return scopesIn(((await response.json()) as { access_token: string }).access_token);
  },
  createConnector: async (actor, wanted) => {
    const { made } = await change(
      actor,
      'createConnector',
      'CreateConnectorInput',
      { name: 'x', ...connectorFor(wanted) },
      'token',
    );
    return reachOf(made?.token);
  },
  rotateConnectorToken: async (actor, wanted) => {
    const theirs = (
      await change(
        everything(),
        'createConnector',
        'CreateConnectorInput',
        { name: 'x', ...connectorFor(wanted) },
        'connector { id }',
      )
    ).made;
    return reachOf(
      (
        await change(
          actor,
          'rotateConnectorToken',
          'RotateConnectorTokenInput',
          { id: theirs.connector.id },
          'token',
        )
      ).made?.token,
    );
  },
  updateConnector: async (actor, wanted) => {
    const own = (
      await change(
        everything(),
        'createConnector',
        'CreateConnectorInput',
        { name: 'x', access: 'READ_ONLY', resourceTypes: ['GROUP'] },
        'token connector { id }',
      )
    ).made;
    const { made } = await change(
      actor,
      'updateConnector',
      'UpdateConnectorInput',
      { id: own.connector.id, ...connectorFor(wanted) },
      'connector { id }',
    );
    return made && reachOf(own.token);
  },
  enableConnector: async (actor, wanted) => {
    const own = (
      await change(
        everything(),
        'createConnector',
        'CreateConnectorInput',
        { name: 'x', ...connectorFor(wanted) },
        'token connector { id }',
      )
    ).made;
    await change(
      everything(),
      'disableConnector',
      'ConnectorInput',
      { id: own.connector.id },
      'connector { id }',
    );
    const { made } = await change(
      actor,
      'enableConnector',
      'ConnectorInput',
      { id: own.connector.id },
      'connector { id }',
    );
    return made && reachOf(own.token);
  },
  createPersonalAccessToken: async (actor) =>
    openedBy(
      (
        await change(
          actor,
          'createPersonalAccessToken',
          'CreatePersonalAccessTokenInput',
          { name: 'x' },
          'token',
        )
      ).made?.token,
    ),
};

/** Connectors are for people, and write where that is wanted. */
const connectorFor = (wanted: readonly string[]) => ({
  resourceTypes: ['USER'],
  access: wanted.includes('users:write') ? 'READ_WRITE' : 'READ_ONLY',
});

/** What a connector's token does: it reads people, and makes one. */
async function reachOf(token: string | undefined): Promise<string[] | undefined> {
  if (token === undefined) return undefined;
  const scim = new ScimClient(world.tenant, token);
  const opened: string[] = [];
  if ((await scim.call('GET', '/Users?count=1')).status === 200) opened.push('users:read', 'scim:read');
  const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: crypto.randomUUID() };
  if ((await scim.call('POST', '/Users', user)).status === 201) opened.push('users:write', 'scim:write');
  return opened;
}

/** What gives no credential but a right over somebody; tried where it belongs, with each role. */
const elsewhere: readonly string[] = [
  'addGroupMembers',
  'assignGroupRole',
  'assignRole',
  'bindIssuerSubject',
  'createTrustedIssuer',
  'createWebhook',
  'inviteUser',
  'reactivateUser',
  'removeAuthenticatorApp',
  'removePasskey',
  'resetUserAccess',
  'restoreGroup',
  'restoreUser',
  'rotateWebhookSecret',
  'transferConnector',
  'transferCredential',
  'updateUser',
  'updateWebhook',
];

test('every mutation that confers something is tried, here or by name elsewhere', () => {
  const conferring = [...(models.gateway.objects.get('Mutation')?.fields ?? [])]
    .filter(
      ([, { confers = '' }]) =>
        confers.replace(', recent sign-in', '') !== '' && !confers.startsWith('nothing'),
    )
    .map(([name]) => name);
  expect([...Object.keys(ways), ...elsewhere].sort()).toEqual(conferring.sort());
});

describe('whatever anybody obtains', () => {
  const wishes: readonly (readonly string[])[] = [
    ['users:read'],
    ['users:read', 'users:write'],
    ['clients:read'],
    scopes,
  ];

  test.each(Object.keys(ways))('opens nothing that they could not open themselves: %s', async (name) => {
    const obtain = ways[name] as Obtain;
    const obtained: string[] = [];
    const everybody = world.actors.filter(
      ({ name: who }) => !who.startsWith('platform') && who !== 'anonymous',
    );
    await inParallel(
      everybody.flatMap((actor) =>
        wishes.map((wanted) => async () => {
          const opened = await obtain(actor, wanted);
          if (opened === undefined) return;
          obtained.push(actor.name);
          const own = held(actor);
          const beyond = opened.filter((scope) => Object.hasOwn(apiScopes, scope) && !own.has(scope));
          expect({ who: actor.name, wanted, beyond }).toEqual({ who: actor.name, wanted, beyond: [] });
        }),
      ),
      4,
    );
    // The administrator gets it, who has just signed in; and so does an app with everything, but for what is a person's.
    expect(obtained).toContain('tenantAdmin');
    if (name !== 'createPersonalAccessToken') expect(obtained).toContain('app:*');
  });
});
