import { eventually } from '@ostiary/service/testing';
import { exportJWK, generateKeyPair } from 'jose';
import { everyOwnScope } from '../support/sign-in.ts';
import { allScopes } from './new-tenant.ts';

/** Executes a mutation as the tenant's administration client. @throws Error with the answer of the graph */
export type Change = <T>(document: string, variables: Record<string, unknown>) => Promise<T>;

interface Verified {
  verifiers: { edges: { node: { lastSeenAt: string | null } }[] };
}

interface Registered {
  client: { id: string };
  clientSecret: string;
}

/** Registers a client for users, one without scopes, and one that may only exchange tokens. */
async function registerClients(
  change: Change,
  administration: string,
): Promise<Record<'web' | 'bare' | 'powerless', Registered>> {
  const register = (input: object) =>
    change<Registered>(
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } clientSecret } }',
      { input },
    );
  return {
    web: await register({
      name: 'Console',
      tokenEndpointAuthMethod: 'NONE',
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: ['http://127.0.0.1/callback'],
      backchannelLogoutUri: 'https://console.example/logout',
      policyUri: 'https://console.example/privacy',
      tosUri: 'https://console.example/terms',
      userinfoSignedResponseAlg: 'ES256',
      defaultMaxAge: 86_400,
      requestObjectSigningAlg: 'ES256',
      requestUris: ['https://console.example/request.jwt'],
      claims: [{ name: 'login', expression: 'user.userName' }],
      scopes: [...everyOwnScope.split(' '), ...allScopes],
    }),
    bare: await register({
      name: 'Without scopes',
      tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
      grantTypes: ['client_credentials'],
      scopes: [],
    }),
    powerless: await register({
      name: 'Exchanging',
      tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
      grantTypes: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
      scopes: ['openid'],
      tokenExchange: { subjectClients: [administration] },
    }),
  };
}

/** Creates a connector that leaves one attribute out, and an extension schema. */
async function makeSource(
  change: Change,
  id: string,
): Promise<{ connector: { connector: { id: string }; token: string }; schema: string }> {
  const connector = await change<{ connector: { id: string }; token: string }>(
    'mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } token } }',
    { input: { name: 'HR', attributes: { mode: 'EXCEPT', paths: ['nickName'] } } },
  );
  const schema = `urn:example:${id}:2.0:User`;
  await change('mutation ($input: CreateSchemaInput!) { createSchema(input: $input) { schema { id } } }', {
    input: {
      id: schema,
      name: 'Badges',
      attributes: [{ name: 'badge', type: 'COMPLEX', subAttributes: [{ name: 'colour' }] }],
    },
  });
  return { connector, schema };
}

/** Creates a service account with an API key and a public key. */
async function makeServiceAccount(change: Change, jwk: object): Promise<string> {
  const serviceAccount = await change<{ serviceAccount: { id: string } }>(
    'mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) { serviceAccount { id } } }',
    { input: { name: 'Job', scopes: ['users:read'] } },
  );
  const account = serviceAccount.serviceAccount.id;
  await change('mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { token } }', {
    input: { serviceAccountId: account, name: 'Key' },
  });
  await change(
    'mutation ($input: AddServiceAccountKeyInput!) { addServiceAccountKey(input: $input) { publicKey { id } } }',
    { input: { serviceAccountId: account, jwk: JSON.stringify(jwk) } },
  );
  return account;
}

/** Creates an initial access token, and a trusted issuer for one client. */
async function trustOthers(change: Change, jwk: object, client: string): Promise<void> {
  await change(
    'mutation ($input: CreateInitialAccessTokenInput!) { createInitialAccessToken(input: $input) { token } }',
    { input: { name: 'Partner' } },
  );
  await change(
    'mutation ($input: CreateTrustedIssuerInput!) { createTrustedIssuer(input: $input) { trustedIssuer { id } } }',
    {
      input: {
        name: 'Partner',
        issuer: 'https://partner.example',
        jwks: JSON.stringify({ keys: [jwk] }),
        clientIds: [client],
        scopes: ['users:read'],
      },
    },
  );
}

/** Creates an API with a scope and a role. */
async function defineApi(change: Change, id: string): Promise<string> {
  const { api } = await change<{ api: { id: string } }>(
    'mutation ($input: RegisterApiInput!) { registerApi(input: $input) { api { id } } }',
    {
      input: {
        identifier: `https://${id}.example/orders`,
        name: 'Orders',
        scopes: [{ name: 'orders:read', descriptions: [{ language: 'en', text: 'See orders' }] }],
        roles: [{ name: 'reader', descriptions: [{ language: 'en', text: 'Reads orders' }] }],
        tokenLifetimeSeconds: 300,
        // One has a value for each user, and one has none.
        claims: [
          { name: 'plan', expression: '"gold"' },
          { name: 'none', expression: '1 / 0' },
        ],
      },
    },
  );
  return api.id;
}

/** Registers a client that serves an API, and lets it follow the revocation feed. */
async function makeVerifier(change: Change, api: string, issuer: string): Promise<void> {
  const { identifier } = await change<{ identifier: string }>(
    'query ($id: ID!) { api(id: $id) { identifier } }',
    { id: api },
  );
  const { client, clientSecret } = await change<Registered>(
    'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } clientSecret } }',
    { input: { kind: 'MACHINE', name: 'Verifier', protectedResources: [identifier] } },
  );
  const { status } = await fetch(`${issuer}/revocations`, {
    headers: { authorization: `Basic ${btoa(`${client.id}:${clientSecret}`)}` },
  });
  if (status !== 200) throw new Error(`revocation feed: ${status}`);
  await eventually(
    () =>
      change<Verified>(
        'query ($id: ID!) { api(id: $id) { verifiers(first: 1) { edges { node { lastSeenAt } } } } }',
        { id: api },
      ),
    ({ verifiers }) => verifiers.edges[0]?.node.lastSeenAt !== null,
  );
}

/** Creates a webhook and a delivery to it. */
async function makeWebhook(change: Change): Promise<Record<'webhook' | 'delivery', string>> {
  const webhook = await change<{ webhook: { id: string } }>(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
    { input: { name: 'Payroll', endpoint: 'https://receiver.invalid/', types: ['USER_UPDATED'] } },
  );
  const test = await change<{ deliveryId: string }>(
    'mutation ($input: WebhookInput!) { testWebhook(input: $input) { deliveryId } }',
    { input: { id: webhook.webhook.id } },
  );
  return { webhook: webhook.webhook.id, delivery: test.deliveryId };
}

/** Objects that a tenant has before its users. */
export interface Furniture extends Record<'web' | 'bare' | 'powerless', Registered> {
  connector: { connector: { id: string }; token: string };
  schema: string;
  serviceAccount: string;
  api: string;
  webhook: string;
  delivery: string;
}

/** @param id of the tenant @param administration its administration client */
export async function furnish(
  change: Change,
  id: string,
  { issuer, administration }: { issuer: string; administration: string },
): Promise<Furniture> {
  const clients = await registerClients(change, administration);
  const source = await makeSource(change, id);
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
  const serviceAccount = await makeServiceAccount(change, jwk);
  await trustOthers(change, jwk, clients.powerless.client.id);
  const api = await defineApi(change, id);
  await makeVerifier(change, api, issuer);
  const receiver = await makeWebhook(change);
  await change('mutation ($input: UpdateTenantInput!) { updateTenant(input: $input) { tenant { id } } }', {
    input: { deletionPolicy: 'SOFT' },
  });
  return { ...clients, ...source, serviceAccount, api, ...receiver };
}
