import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { clientToken } from './processes.ts';
import type { Actor, World } from './world.ts';

const bearerGrant = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** Returns the scopes of an access token. */
export const scopesIn = (token: string): string[] =>
  (
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { scope?: string }
  ).scope?.split(' ') ?? [];

async function change(world: World, actor: Actor, name: string, type: string, input: object, shown: string) {
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

/** Disables an object that the actor then enables. */
async function enabledAgain(world: World, actor: Actor, kind: 'client' | 'connector', id: string) {
  const type = kind === 'client' ? 'Client' : 'Connector';
  const again = (who: Actor, verb: string) =>
    change(world, who, `${verb}${type}`, `${type}Input`, { id }, `${kind} { id }`);
  await again(everything(world), 'disable');
  return (await again(actor, 'enable')).made;
}

/** Obtains a credential and returns the scopes that it permits; undefined when it is rejected. */
export type Obtain = (
  world: World,
  actor: Actor,
  wanted: readonly string[],
) => Promise<readonly string[] | undefined>;

const machine = { grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC' };
const asClient = async (world: World, made: { client: { id: string }; clientSecret: string } | undefined) =>
  made &&
  scopesIn(
    await clientToken(world.tenant.issuer, { client_id: made.client.id, client_secret: made.clientSecret }),
  );
const everything = (world: World): Actor => {
  const found = world.actors.find(({ name }) => name === 'app:*');
  if (!found) throw new Error('nobody may do everything');
  return found;
};
/** A query for each scope of an API token. */
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
async function openedBy(world: World, token: string | undefined): Promise<string[] | undefined> {
  if (token === undefined) return undefined;
  const opened: string[] = [];
  for (const [scope, query] of Object.entries(doors))
    if ((await graph(world.demo, token, query)).errors.length === 0) opened.push(scope);
  return opened;
}

/** Obtains and uses each credential, by the mutation that issues it, and returns its scopes. */
export const ways: Readonly<Record<string, Obtain>> = {
  registerClient: async (world, actor, wanted) =>
    asClient(
      world,
      (
        await change(
          world,
          actor,
          'registerClient',
          'RegisterClientInput',
          { name: 'x', ...machine, scopes: wanted },
          'client { id } clientSecret',
        )
      ).made,
    ),
  updateClient: async (world, actor, wanted) => {
    const own = (
      await change(
        world,
        everything(world),
        'registerClient',
        'RegisterClientInput',
        { name: 'x', ...machine, scopes: [] },
        'client { id } clientSecret',
      )
    ).made;
    const { made } = await change(
      world,
      actor,
      'updateClient',
      'UpdateClientInput',
      { id: own.client.id, scopes: wanted },
      'client { id }',
    );
    return made && asClient(world, own);
  },
  rotateClientSecret: async (world, actor, wanted) => {
    const theirs = (
      await change(
        world,
        everything(world),
        'registerClient',
        'RegisterClientInput',
        { name: 'x', ...machine, scopes: wanted },
        'client { id }',
      )
    ).made;
    return asClient(
      world,
      (
        await change(
          world,
          actor,
          'rotateClientSecret',
          'RotateClientSecretInput',
          { id: theirs.client.id },
          'client { id } clientSecret',
        )
      ).made,
    );
  },
  enableClient: async (world, actor, wanted) => {
    const theirs = (
      await change(
        world,
        everything(world),
        'registerClient',
        'RegisterClientInput',
        { name: 'x', ...machine, scopes: wanted },
        'client { id } clientSecret',
      )
    ).made;
    const made = await enabledAgain(world, actor, 'client', theirs.client.id);
    return made && asClient(world, theirs);
  },
  createInitialAccessToken: async (world, actor, wanted) => {
    const { made } = await change(
      world,
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
  createServiceAccount: async (world, actor, wanted) => {
    const { made } = await change(
      world,
      actor,
      'createServiceAccount',
      'CreateServiceAccountInput',
      { name: 'x', scopes: wanted },
      'serviceAccount { id scopes }',
    );
    return made?.serviceAccount.scopes;
  },
  updateServiceAccount: async (world, actor, wanted) => {
    const theirs = (
      await change(
        world,
        everything(world),
        'createServiceAccount',
        'CreateServiceAccountInput',
        { name: 'x', scopes: [] },
        'serviceAccount { id }',
      )
    ).made;
    const { made } = await change(
      world,
      actor,
      'updateServiceAccount',
      'UpdateServiceAccountInput',
      { id: theirs.serviceAccount.id, scopes: wanted },
      'serviceAccount { scopes }',
    );
    return made?.serviceAccount.scopes;
  },
  createApiKey: async (world, actor, wanted) => {
    const theirs = (
      await change(
        world,
        everything(world),
        'createServiceAccount',
        'CreateServiceAccountInput',
        { name: 'x', scopes: wanted },
        'serviceAccount { id }',
      )
    ).made;
    return openedBy(
      world,
      (
        await change(
          world,
          actor,
          'createApiKey',
          'CreateApiKeyInput',
          { serviceAccountId: theirs.serviceAccount.id, name: 'x' },
          'token',
        )
      ).made?.token,
    );
  },
  addServiceAccountKey: async (world, actor, wanted) => {
    const theirs = (
      await change(
        world,
        everything(world),
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
      world,
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
  createConnector: async (world, actor, wanted) => {
    const { made } = await change(
      world,
      actor,
      'createConnector',
      'CreateConnectorInput',
      { name: 'x', ...connectorFor(wanted) },
      'token',
    );
    return reachOf(world, made?.token);
  },
  rotateConnectorToken: async (world, actor, wanted) => {
    const theirs = (
      await change(
        world,
        everything(world),
        'createConnector',
        'CreateConnectorInput',
        { name: 'x', ...connectorFor(wanted) },
        'connector { id }',
      )
    ).made;
    return reachOf(
      world,
      (
        await change(
          world,
          actor,
          'rotateConnectorToken',
          'RotateConnectorTokenInput',
          { id: theirs.connector.id },
          'token',
        )
      ).made?.token,
    );
  },
  updateConnector: async (world, actor, wanted) => {
    const own = (
      await change(
        world,
        everything(world),
        'createConnector',
        'CreateConnectorInput',
        { name: 'x', access: 'READ_ONLY', resourceTypes: ['GROUP'] },
        'token connector { id }',
      )
    ).made;
    const { made } = await change(
      world,
      actor,
      'updateConnector',
      'UpdateConnectorInput',
      { id: own.connector.id, ...connectorFor(wanted) },
      'connector { id }',
    );
    return made && reachOf(world, own.token);
  },
  enableConnector: async (world, actor, wanted) => {
    const own = (
      await change(
        world,
        everything(world),
        'createConnector',
        'CreateConnectorInput',
        { name: 'x', ...connectorFor(wanted) },
        'token connector { id }',
      )
    ).made;
    const made = await enabledAgain(world, actor, 'connector', own.connector.id);
    return made && reachOf(world, own.token);
  },
  createPersonalAccessToken: async (world, actor) =>
    openedBy(
      world,
      (
        await change(
          world,
          actor,
          'createPersonalAccessToken',
          'CreatePersonalAccessTokenInput',
          { name: 'x' },
          'token',
        )
      ).made?.token,
    ),
};

/** Connectors provision users, and write only when requested. */
const connectorFor = (wanted: readonly string[]) => ({
  resourceTypes: ['USER'],
  access: wanted.includes('users:write') ? 'READ_WRITE' : 'READ_ONLY',
});

/** Returns the scopes of a connector token: reads users, and creates one. */
async function reachOf(world: World, token: string | undefined): Promise<string[] | undefined> {
  if (token === undefined) return undefined;
  const scim = new ScimClient(world.tenant, token);
  const opened: string[] = [];
  if ((await scim.call('GET', '/Users?count=1')).status === 200) opened.push('users:read', 'scim:read');
  const user = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: crypto.randomUUID() };
  if ((await scim.call('POST', '/Users', user)).status === 201) opened.push('users:write', 'scim:write');
  return opened;
}
