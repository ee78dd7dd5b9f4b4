import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiScopes } from '@ostiary/access';
import { exportJWK, generateKeyPair } from 'jose';
import type { Demo, DemoTenant, DemoUser } from '../story/demo.ts';
import { eventually } from '../story/eventually.ts';
import { graph } from '../story/graph.ts';
import { groupSchema, ScimClient } from '../story/scim.ts';
import { adminToken, everyOidcScope, signIn } from '../story/sign-in.ts';
import type { Subgraph } from './model.ts';

/** Somebody who asks. */
export interface Actor {
  name: string;
  /** None: anonymous. */
  token?: string;
  /** Their own id, if it is a person. */
  id?: string;
}

/** A tenant with one of everything in it, and everybody who may come and ask. */
export interface World {
  demo: Demo;
  urls: Readonly<Record<Subgraph | 'gateway', string>>;
  tenant: DemoTenant & { id: string };
  actors: readonly Actor[];
  /** Tokens that count nowhere. */
  refused: readonly Actor[];
  /** An administrator of the other tenant. */
  rivalAdmin: Actor;
  ids: Readonly<
    Record<
      'user' | 'administrator' | 'group' | 'client' | 'serviceAccount' | 'connector' | 'schema' | 'logEntry',
      string
    >
  >;
  /** Of the other tenant. */
  foreign: Readonly<Record<'user' | 'group' | 'client' | 'connector' | 'tenant', string>>;
}

const allScopes = Object.keys(apiScopes);
const employeeSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Where the processes of the running system listen. */
function processes(demo: Demo): World['urls'] {
  const file = process.env.OSTIARY_E2E_SYSTEM;
  if (file) return (JSON.parse(readFileSync(file, 'utf8')) as { urls: World['urls'] }).urls;
  const port = Number(new URL(demo.origin).port);
  const at = (offset: number) => `http://127.0.0.1:${port + offset}`;
  return { gateway: at(0), auth: at(1), directory: at(2), provisioning: at(3) };
}

async function post<T>(url: string, token: string, body: object): Promise<T> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url}: ${response.status} ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

async function clientToken(
  issuer: string,
  client: { client_id: string; client_secret: string },
  parameters: Record<string, string> = {},
): Promise<string> {
  const pair = `${encodeURIComponent(client.client_id)}:${encodeURIComponent(client.client_secret)}`;
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', ...parameters }),
  });
  const body = (await response.json()) as { access_token?: string };
  if (body.access_token === undefined) throw new Error(`no token: ${JSON.stringify(body)}`);
  return body.access_token;
}

/** Makes the tenant anew, so that nothing that other tests left behind is in it. */
export async function createWorld(demo: Demo): Promise<World> {
  const urls = processes(demo);
  const home = dirname(process.env.OSTIARY_E2E ?? '');
  const secrets = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as Record<string, string>;
  const platform = (resource: string) =>
    clientToken(
      `${urls.auth}/t/platform`,
      { client_id: 'operator', client_secret: secrets.OPERATOR_CLIENT_SECRET ?? '' },
      { resource: `urn:ostiary:service:${resource}` },
    );
  const [operator, atDirectory] = await Promise.all([platform('auth'), platform('directory')]);
  const id = `matrix-${Date.now().toString(36)}`;
  const issuer = `${demo.origin}/t/${id}`;
  await post(`${urls.directory}/internal/v1/tenants`, atDirectory, {
    id,
    name: 'Matrix',
    actor: { kind: 'service', id: 'operator', name: 'operator' },
  });
  const admin = await post<{ client_id: string; client_secret: string }>(
    `${urls.auth}/internal/v1/tenants/${id}/clients`,
    operator,
    {
      client_name: 'Administration',
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['client_credentials'],
      scope: allScopes.join(' '),
    },
  );
  const everything = await clientToken(issuer, admin);
  const change = async <T>(document: string, variables: Record<string, unknown>): Promise<T> => {
    const answer = await graph(demo, everything, document, variables);
    if (answer.errors.length > 0) throw new Error(`${document}: ${JSON.stringify(answer.errors)}`);
    return Object.values(answer.data)[0] as T;
  };

  const register = (input: object) =>
    change<{ client: { id: string }; clientSecret: string }>(
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } clientSecret } }',
      { input },
    );
  const [web, bare, powerless] = [
    await register({
      name: 'Console',
      tokenEndpointAuthMethod: 'NONE',
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: [...everyOidcScope.split(' '), ...allScopes],
    }),
    await register({
      name: 'Without scopes',
      tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
      grantTypes: ['client_credentials'],
      scopes: [],
    }),
    await register({
      name: 'Exchanging',
      tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
      grantTypes: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
      scopes: ['openid'],
      tokenExchange: { subjectClients: [admin.client_id] },
    }),
  ];
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
  const serviceAccount = await change<{ serviceAccount: { id: string } }>(
    'mutation ($input: CreateServiceAccountInput!) { createServiceAccount(input: $input) { serviceAccount { id } } }',
    { input: { name: 'Job', scopes: ['users:read'] } },
  );
  const account = serviceAccount.serviceAccount.id;
  await change('mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { token } }', {
    input: { serviceAccountId: account, name: 'Key' },
  });
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' };
  await change(
    'mutation ($input: AddServiceAccountKeyInput!) { addServiceAccountKey(input: $input) { publicKey { id } } }',
    { input: { serviceAccountId: account, jwk: JSON.stringify(jwk) } },
  );
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
        clientIds: [powerless.client.id],
        scopes: ['users:read'],
      },
    },
  );
  await change('mutation ($input: UpdateTenantInput!) { updateTenant(input: $input) { tenant { id } } }', {
    input: { deletionPolicy: 'SOFT' },
  });

  const scim = new ScimClient({ scim: `${issuer}/scim/v2` }, connector.token);
  const employ = async (name: string) => {
    const user = { userName: name, password: `correct horse ${id} ${name}` };
    const created = await scim.createUser({
      ...user,
      externalId: `hr-${name}`,
      displayName: name,
      name: { givenName: name, familyName: 'Person' },
      emails: [{ value: `${name}@example.com`, type: 'work', primary: true }],
      phoneNumbers: [{ value: '+43 1 234567', type: 'work' }],
      [employeeSchema]: { employeeNumber: '7', department: 'Doors' },
    });
    return { ...user, id: created.id };
  };
  const tenant = {
    id,
    issuer,
    scim: `${issuer}/scim/v2`,
    clients: { ...demo.tenants.demo.clients, admin, web: { client_id: web.client.id, redirect_uris: [] } },
    users: demo.tenants.demo.users,
  };
  const people = {
    other: await employ('other'),
    user: await employ('user'),
    helpDesk: await employ('helpdesk'),
    auditor: await employ('auditor'),
    tenantAdmin: await employ('admin'),
    administrator: await employ('administrator'),
  };
  for (const [name, role] of [
    ['helpDesk', 'help_desk'],
    ['auditor', 'auditor'],
    ['tenantAdmin', 'tenant_admin'],
    ['administrator', 'tenant_admin'],
  ] as const) {
    await eventually(
      () =>
        post(`${urls.auth}/internal/v1/tenants/${id}/roles`, operator, {
          subject: people[name].id,
          role,
        }).then(
          () => true,
          () => false,
        ),
      (done) => done,
    );
  }
  const newGroup = async (displayName: string, members: string[]) =>
    (
      await scim.call('POST', '/Groups', {
        schemas: [groupSchema],
        displayName,
        externalId: displayName,
        members: members.map((value) => ({ value })),
      })
    ).body.id as string;
  const inner = await newGroup('inner', [people.other.id]);
  const group = await newGroup('everybody', [...Object.values(people).map((person) => person.id), inner]);
  for (const [type, gone] of [
    ['Users', (await employ('gone')).id],
    ['Groups', await newGroup('gone', [])],
  ])
    await scim.call('DELETE', `/${type}/${gone}`);

  const platformIn = (resource: string) =>
    clientToken(
      `${urls.auth}/t/platform`,
      { client_id: 'operator', client_secret: secrets.OPERATOR_CLIENT_SECRET ?? '' },
      { resource },
    );
  const everyScope = [everyOidcScope, ...allScopes].join(' ');
  const signedIn = async (person: DemoUser, scope = everyScope): Promise<string> =>
    (await signIn(demo, tenant, person, { scope })).tokens.access_token;
  const tokens = {
    other: await signedIn(people.other),
    user: await signedIn(people.user),
    helpDesk: await signedIn(people.helpDesk),
    auditor: await signedIn(people.auditor),
    tenantAdmin: await signedIn(people.tenantAdmin),
  };
  for (const token of Object.values(tokens)) {
    const made = await graph(
      demo,
      token,
      'mutation { createPersonalAccessToken(input: { name: "script", scopes: ["openid"] }) { token } }',
    );
    if (made.errors.length > 0) throw new Error(JSON.stringify(made.errors));
  }
  // The audit log tells of changes by people, apps, identity sources and services.
  await graph(
    demo,
    tokens.tenantAdmin,
    'mutation ($id: ID!) { updateUser(input: { id: $id, nickName: "O" }) { __typename } }',
    { id: people.other.id },
  );
  const revoked = await signedIn(people.other);
  await fetch(`${issuer}/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: web.client.id, token: revoked }),
  });
  const [header, payload] = tokens.tenantAdmin.split('.');
  const expired = `${header}.${Buffer.from(
    JSON.stringify({ ...JSON.parse(Buffer.from(payload ?? '', 'base64url').toString()), exp: 1 }),
  ).toString('base64url')}.${tokens.tenantAdmin.split('.')[2]}`;

  const single = await Promise.all(
    allScopes.map(async (scope) => ({
      name: `app:${scope}`,
      token: await clientToken(issuer, admin, { scope }),
    })),
  );
  const bareClient = { client_id: bare.client.id, client_secret: bare.clientSecret };
  const actors: Actor[] = [
    { name: 'anonymous' },
    ...(['user', 'helpDesk', 'auditor', 'tenantAdmin'] as const).map((name) => ({
      name,
      token: tokens[name],
      id: people[name].id,
    })),
    { name: 'app:', token: await clientToken(issuer, bareClient) },
    ...single,
    { name: 'app:*', token: everything },
    // One manages tenants and is in none of them, the other acts in this one.
    { name: 'platform', token: await platformIn(`${demo.origin}/graphql`) },
    { name: 'platform:tenant', token: await platformIn(`${issuer}/graphql`) },
  ];

  const rivalToken = await adminToken(demo.tenants.rival);
  const rival = await graph(
    demo,
    rivalToken,
    `{ users(first: 1) { edges { node { id } } } clients(first: 1) { edges { node { id } } }
       connectors(first: 1) { edges { node { id } } } groups(first: 1) { edges { node { id } } } }`,
  );
  let foreignGroup = rival.data.groups.edges[0]?.node.id as string | undefined;
  foreignGroup ??= (
    await graph(
      demo,
      rivalToken,
      'mutation { createGroup(input: { displayName: "Rivals" }) { group { id } } }',
    )
  ).data.createGroup.group.id as string;
  const first = (connection: string) => rival.data[connection].edges[0].node.id as string;

  // Provisioning hears of people through events, and writes its log in batches.
  const heard = await eventually(
    () =>
      graph(
        demo,
        everything,
        `query ($id: ID!) { user(id: $id) { provisioning { externalId } } provisioningLog(first: 1) { edges { node { id } } } }`,
        { id: people.tenantAdmin.id },
      ),
    ({ data }) => data?.user?.provisioning?.length > 0 && data.provisioningLog?.edges.length > 0,
  );
  return {
    demo,
    urls,
    tenant,
    actors,
    refused: [
      { name: 'revoked token', token: revoked },
      { name: 'expired token', token: expired },
      { name: 'platform client', token: operator },
      { name: 'platform client for this service', token: atDirectory },
      { name: 'connector token', token: connector.token },
    ],
    rivalAdmin: { name: 'rivalAdmin', token: rivalToken },
    ids: {
      logEntry: heard.data.provisioningLog.edges[0].node.id,
      user: people.other.id,
      administrator: people.administrator.id,
      group,
      client: powerless.client.id,
      serviceAccount: account,
      connector: connector.connector.id,
      schema,
    },
    foreign: {
      user: first('users'),
      client: first('clients'),
      connector: first('connectors'),
      group: foreignGroup,
      tenant: 'rival',
    },
  };
}
