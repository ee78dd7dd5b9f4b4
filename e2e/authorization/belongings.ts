import { eventually } from '@ostiary/service/testing';
import { exportJWK, generateKeyPair } from 'jose';
import type { Demo, DemoTenant } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { signIn } from '../support/sign-in.ts';
import { clientToken, post } from './processes.ts';

const exchangeGrant = 'urn:ietf:params:oauth:grant-type:token-exchange';

/** Ids of one object of each kind in a tenant. User objects all belong to one user. */
export type Belongings = Readonly<Record<(typeof kinds)[number], string>>;

export const kinds = [
  'tenant',
  'user',
  'departed',
  'session',
  'grant',
  'delegation',
  'personalAccessToken',
  'group',
  'client',
  'api',
  'serviceAccount',
  'apiKey',
  'serviceAccountKey',
  'initialAccessToken',
  'trustedIssuer',
  'issuerSubject',
  'signingKey',
  'webhook',
  'delivery',
  'signalStream',
  'schema',
  'connector',
  'connectorToken',
  'logEntry',
  'connectorLogEntry',
  'auditEntry',
  'securityEvent',
  'signInAttempt',
] as const;

interface Making {
  demo: Demo;
  tenant: DemoTenant;
  /** Access token with all scopes in the tenant. */
  token: string;
  name: string;
}

type Made<Name extends string> = Record<Name, { id: string }>;

/**
 * Executes a mutation, written as `name(Type) { selection of the payload }`. @throws Error with the answer of the graph
 */
async function change<T>({ demo, token }: Making, mutation: string, input: object, by = token): Promise<T> {
  const [, operation = '', type = ''] = /^(\w+)\((\w+)\)/.exec(mutation) ?? [];
  const selection = mutation.slice(mutation.indexOf('{'));
  const document = `mutation ($i: ${type}!) { it: ${operation}(input: $i) ${selection} }`;
  const answer = await graph(demo, by, document, { i: input });
  if (answer.errors.length > 0) throw new Error(`${mutation}: ${JSON.stringify(answer.errors)}`);
  return answer.data.it as T;
}

/** Registers an agent for the users of an app, and lets it act for the user of a token. */
async function letAgentAct(making: Making, app: string, userToken: string): Promise<void> {
  const { tenant, name } = making;
  const { client, clientSecret } = await change<Made<'client'> & { clientSecret: string }>(
    making,
    'registerClient(RegisterClientInput) { client { id } clientSecret }',
    {
      name: `${name} agent`,
      tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
      grantTypes: [exchangeGrant],
      scopes: ['openid'],
      tokenExchange: { subjectClients: [app], agent: true },
    },
  );
  await clientToken(
    tenant.issuer,
    { client_id: client.id, client_secret: clientSecret },
    {
      grant_type: exchangeGrant,
      subject_token: userToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    },
  );
}

/** Creates a user with a session, a token and an agent, and an offboarded user. */
async function makeUsers(making: Making): Promise<{ user: string; departed: string }> {
  const { demo, tenant, name } = making;
  const scim = new ScimClient(tenant, tenant.clients.scim.token);
  const person = { userName: name, password: `seven quiet lanterns over ${name}` };
  const gone = { ...person, userName: `${name}-departed` };
  const [{ id: user }, { id: departed }] = await Promise.all([
    scim.createUser({ ...person, displayName: name }),
    scim.createUser(gone),
  ]);
  // A user without a sign-in may be unknown to the authorization server, because events arrive in any order. Such a
  // user has nothing to revoke, and therefore no departure.
  await signIn(demo, tenant, gone);
  await scim.patch(`/Users/${departed}`, [{ op: 'replace', path: 'active', value: false }]);
  const { tokens } = await signIn(demo, tenant, person);
  await change(
    making,
    'createPersonalAccessToken(CreatePersonalAccessTokenInput) { token }',
    { name, scopes: ['openid'] },
    tokens.access_token,
  );
  await letAgentAct(making, tenant.clients.web.client_id, tokens.access_token);
  return { user, departed };
}

/** Creates a service account with an API key and a public key. */
async function makeServiceAccount(making: Making, jwk: object): Promise<{ id: string }> {
  const { name } = making;
  const { serviceAccount } = await change<Made<'serviceAccount'>>(
    making,
    'createServiceAccount(CreateServiceAccountInput) { serviceAccount { id } }',
    { name, scopes: ['users:read'] },
  );
  const ofAccount = { serviceAccountId: serviceAccount.id };
  await change(making, 'createApiKey(CreateApiKeyInput) { token }', { ...ofAccount, name });
  await change(making, 'addServiceAccountKey(AddServiceAccountKeyInput) { publicKey { id } }', {
    ...ofAccount,
    jwk: JSON.stringify(jwk),
  });
  return serviceAccount;
}

/** Creates a trusted issuer, and a subject of it that is bound to a user. */
async function makeTrustedIssuer(
  making: Making,
  { jwk, client, user }: { jwk: object; client: string; user: string },
): Promise<{ trustedIssuer: string; issuerSubject: string }> {
  const { name } = making;
  const { trustedIssuer } = await change<Made<'trustedIssuer'>>(
    making,
    'createTrustedIssuer(CreateTrustedIssuerInput) { trustedIssuer { id } }',
    {
      name,
      issuer: `https://${name}.example`,
      jwks: JSON.stringify({ keys: [jwk] }),
      clientIds: [client],
      scopes: ['users:read'],
    },
  );
  const { issuerSubject } = await change<Made<'issuerSubject'>>(
    making,
    'bindIssuerSubject(BindIssuerSubjectInput) { issuerSubject { id } }',
    { trustedIssuerId: trustedIssuer.id, subject: name, userId: user },
  );
  return { trustedIssuer: trustedIssuer.id, issuerSubject: issuerSubject.id };
}

/** Creates a webhook and a stream of security events. */
async function makeReceivers(
  making: Making,
): Promise<Record<'webhook' | 'delivery' | 'signalStream', string>> {
  const { tenant, token, name } = making;
  const { webhook } = await change<Made<'webhook'>>(
    making,
    'createWebhook(CreateWebhookInput) { webhook { id } }',
    {
      name,
      endpoint: 'https://receiver.invalid/',
      types: ['CREDENTIAL_COMPROMISED'],
    },
  );
  const { deliveryId } = await change<{ deliveryId: string }>(
    making,
    'testWebhook(WebhookInput) { deliveryId }',
    {
      id: webhook.id,
    },
  );
  const stream = await post<{ stream_id: string }>(`${tenant.issuer}/ssf/stream`, token, {
    description: name,
    events_requested: ['https://schemas.openid.net/secevent/caep/event-type/credential-change'],
  });
  return { webhook: webhook.id, delivery: deliveryId, signalStream: stream.stream_id };
}

/** Creates a schema, and a connector that has made a request. */
async function makeSource(
  making: Making,
): Promise<Record<'schema' | 'connector' | 'connectorToken', string>> {
  const { tenant, name } = making;
  const schema = `urn:example:${name}:2.0:User`;
  await change(making, 'createSchema(CreateSchemaInput) { schema { id } }', {
    id: schema,
    name,
    attributes: [{ name: 'badge', type: 'STRING' }],
  });
  const { connector, token: ofConnector } = await change<{
    connector: { id: string; tokens: { id: string }[] };
    token: string;
  }>(making, 'createConnector(CreateConnectorInput) { connector { id tokens { id } } token }', { name });
  await new ScimClient(tenant, ofConnector).call('GET', '/Users?count=1');
  return { schema, connector: connector.id, connectorToken: connector.tokens[0]?.id ?? '' };
}

/** Waits for the objects that the services create from the others. */
async function findRest(
  { demo, token }: Making,
  of: Record<'user' | 'departed' | 'serviceAccount' | 'connector', string>,
) {
  // Logs are written in batches, and departures follow an event.
  const { data } = await eventually(
    () =>
      graph(
        demo,
        token,
        `query ($user: ID!, $account: ID!, $connector: ID!, $departed: ID!) {
          user(id: $user) { sessions { id } grants { id } delegations { edges { node { id } } } personalAccessTokens { id } }
          serviceAccount(id: $account) { apiKeys { id } publicKeys { id } }
          provisioningLog(resourceId: $user) { edges { node { id } } }
          ofConnector: provisioningLog(source: $connector) { edges { node { id } } }
          connectorLog(filter: { connectorId: $connector }) { edges { node { id } } }
          auditLog(filter: { resourceId: $user }) { edges { node { id } } }
          securityLog(filter: { resourceId: $account }) { edges { node { id } } }
          departures(userId: $departed) { id: securityEventId }
          signInAttempts(filter: { userId: $user, outcome: SUCCEEDED }) { edges { node { id } } }
          signingKeys { id }
        }`,
        { user: of.user, departed: of.departed, account: of.serviceAccount, connector: of.connector },
      ),
    ({ data }) =>
      data?.provisioningLog?.edges.length > 0 &&
      data.ofConnector?.edges.length > 0 &&
      data.departures?.length > 0,
  );
  return {
    session: data.user.sessions[0].id,
    grant: data.user.grants[0].id,
    delegation: data.user.delegations.edges[0].node.id,
    personalAccessToken: data.user.personalAccessTokens[0].id,
    apiKey: data.serviceAccount.apiKeys[0].id,
    serviceAccountKey: data.serviceAccount.publicKeys[0].id,
    signingKey: data.signingKeys[0].id,
    logEntry: data.provisioningLog.edges[0].node.id,
    connectorLogEntry: data.connectorLog.edges[0].node.id,
    auditEntry: data.auditLog.edges[0].node.id,
    securityEvent: data.securityLog.edges[0].node.id,
    signInAttempt: data.signInAttempts.edges[0].node.id,
  };
}

/** Creates one object of each kind in a tenant, in addition to existing ones. @param token with all scopes in it */
export async function makeBelongings(
  demo: Demo,
  tenant: DemoTenant,
  { id: tenantId, token, name }: { id: string; token: string; name: string },
): Promise<Belongings> {
  const making = { demo, tenant, token, name };
  const people = await makeUsers(making);
  const { group } = await change<Made<'group'>>(making, 'createGroup(CreateGroupInput) { group { id } }', {
    displayName: name,
    memberIds: [people.user],
  });
  const { client } = await change<Made<'client'>>(
    making,
    'registerClient(RegisterClientInput) { client { id } }',
    {
      name,
      tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
      grantTypes: ['client_credentials'],
      scopes: [],
    },
  );
  const { api } = await change<Made<'api'>>(making, 'registerApi(RegisterApiInput) { api { id } }', {
    identifier: `https://${name}.example/orders`,
    name,
    scopes: [{ name: `${name}:read`, descriptions: [{ language: 'en', text: 'See orders' }] }],
    roles: [{ name: 'reader' }],
    claims: [{ name: 'plan', expression: '"gold"' }],
  });
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: name, alg: 'ES256' };
  const serviceAccount = await makeServiceAccount(making, jwk);
  const { initialAccessToken } = await change<Made<'initialAccessToken'>>(
    making,
    'createInitialAccessToken(CreateInitialAccessTokenInput) { initialAccessToken { id } }',
    { name },
  );
  const issuer = await makeTrustedIssuer(making, { jwk, client: client.id, user: people.user });
  const receivers = await makeReceivers(making);
  const source = await makeSource(making);
  const rest = await findRest(making, {
    ...people,
    serviceAccount: serviceAccount.id,
    connector: source.connector,
  });
  return {
    tenant: tenantId,
    ...people,
    group: group.id,
    client: client.id,
    api: api.id,
    serviceAccount: serviceAccount.id,
    initialAccessToken: initialAccessToken.id,
    ...issuer,
    ...receivers,
    ...source,
    ...rest,
  };
}

/** Returns the state of all objects, for comparison. @param token that may read all of the tenant */
export async function stateOf(demo: Demo, token: string, of: Belongings): Promise<unknown> {
  const { data, errors } = await graph(
    demo,
    token,
    `query ($user: ID!, $group: ID!, $client: ID!, $api: ID!, $serviceAccount: ID!, $webhook: ID!, $signalStream: ID!, $delivery: ID!, $schema: ID!, $connector: ID!) {
      user(id: $user) { active version sessions { id } grants { id } delegations { edges { node { id } } } personalAccessTokens { id } roles }
      group(id: $group) { version roles members { totalCount } }
      client(id: $client) { name disabled } api(id: $api) { version scopes { name } roles { name } }
      serviceAccount(id: $serviceAccount) { name scopes disabled apiKeys { id } publicKeys { id } }
      initialAccessTokens { id } trustedIssuers { id } issuerSubjects { edges { node { id } } }
      webhook(id: $webhook) { version } signalStream(id: $signalStream) { id status } delivery(id: $delivery) { id }
      schema(id: $schema) { id version } connector(id: $connector) { version status tokens { id } }
    }`,
    of,
  );
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  // Other tests create objects in the same tenant at the same time.
  const known = new Set<unknown>(Object.values(of));
  const isOurs = ({ id }: { id: string }): boolean => known.has(id);
  return {
    ...data,
    initialAccessTokens: data.initialAccessTokens.filter(isOurs),
    trustedIssuers: data.trustedIssuers.filter(isOurs),
    issuerSubjects: data.issuerSubjects.edges.filter(({ node }: { node: { id: string } }) => isOurs(node)),
  };
}
