import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { apiScopes } from '@ostiary/access';
import { exportJWK, generateKeyPair } from 'jose';
import type { Demo, DemoTenant, DemoUser } from '../support/demo.ts';
import { eventually } from '../support/eventually.ts';
import { graph } from '../support/graph.ts';
import { groupSchema, ScimClient } from '../support/scim.ts';
import { adminToken, everyOwnScope, signIn } from '../support/sign-in.ts';
import { type Belongings, makeBelongings } from './belongings.ts';
import { clientToken, type Processes, post, processes } from './processes.ts';

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
  urls: Processes;
  tenant: DemoTenant & { id: string };
  actors: readonly Actor[];
  /** Tokens that count nowhere. */
  refused: readonly Actor[];
  /** Everybody of the tenant who has a token, and one more person. */
  people: Readonly<
    Record<'other' | 'user' | 'helpDesk' | 'auditor' | 'tenantAdmin', DemoUser & { id: string }>
  >;
  connectorToken: string;
  /** An administrator of the other tenant. */
  rivalAdmin: Actor;
  ids: Readonly<
    Record<
      | 'user'
      | 'administrator'
      | 'departed'
      | 'group'
      | 'privilegedGroup'
      | 'client'
      | 'serviceAccount'
      | 'connector'
      | 'schema'
      | 'logEntry'
      | 'connectorLogEntry'
      | 'signalStream'
      | 'webhook'
      | 'delivery'
      | 'securityEvent',
      string
    >
  >;
  /** One of everything of this tenant, and of the other one. Of what is a person's: of one who doesn't ask. */
  ours: Belongings;
  foreign: Belongings;
}

const allScopes = Object.keys(apiScopes);
const employeeSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Makes the tenant anew, so that nothing that other tests left behind is in it. */
export async function createWorld(demo: Demo): Promise<World> {
  const urls = processes(demo);
  const suffix = Date.now().toString(36);
  const rivalToken = await adminToken(demo.tenants.rival);
  const elsewhere = makeBelongings(demo, demo.tenants.rival, {
    id: 'rival',
    token: rivalToken,
    name: `rival-${suffix}`,
  });
  elsewhere.catch(() => undefined);
  const home = dirname(process.env.OSTIARY_E2E ?? '');
  const secrets = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8')) as Record<string, string>;
  const platform = (resource: string) =>
    clientToken(
      `${urls.auth}/t/platform`,
      { client_id: 'operator', client_secret: secrets.OPERATOR_CLIENT_SECRET ?? '' },
      { resource: `urn:ostiary:service:${resource}` },
    );
  const [operator, atDirectory] = await Promise.all([platform('auth'), platform('directory')]);
  const id = `matrix-${suffix}`;
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
      backchannelLogoutUri: 'https://console.example/logout',
      policyUri: 'https://console.example/privacy',
      tosUri: 'https://console.example/terms',
      userinfoSignedResponseAlg: 'ES256',
      defaultMaxAge: 86_400,
      requestObjectSigningAlg: 'ES256',
      requestUris: ['https://console.example/request.jwt'],
      scopes: [...everyOwnScope.split(' '), ...allScopes],
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
  const webhook = await change<{ webhook: { id: string } }>(
    'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }',
    { input: { name: 'Payroll', endpoint: 'https://receiver.invalid/', types: ['USER_UPDATED'] } },
  );
  const test = await change<{ deliveryId: string }>(
    'mutation ($input: WebhookInput!) { testWebhook(input: $input) { deliveryId } }',
    { input: { id: webhook.webhook.id } },
  );
  await change('mutation ($input: UpdateTenantInput!) { updateTenant(input: $input) { tenant { id } } }', {
    input: { deletionPolicy: 'SOFT' },
  });

  const scim = new ScimClient({ scim: `${issuer}/scim/v2` }, connector.token);
  const employ = async (name: string) => {
    const user = { userName: name, password: `seven quiet lanterns over ${id} ${name}` };
    const created = await scim.createUser({
      ...user,
      externalId: `hr-${name}`,
      displayName: name,
      name: { givenName: name, familyName: 'Person' },
      emails: [{ value: `${name}@example.com`, type: 'work', primary: true }],
      phoneNumbers: [{ value: '+43 1 234567', type: 'work' }],
      ims: [{ value: name, type: 'xmpp' }],
      photos: [{ value: `https://example.com/${name}.png`, type: 'photo' }],
      addresses: [{ locality: 'Vienna', country: 'AT', type: 'work' }],
      entitlements: [{ value: 'desk' }],
      roles: [{ value: 'tester' }],
      x509Certificates: [{ value: 'MIIBAQ==' }],
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
  const ours = await makeBelongings(
    demo,
    { ...tenant, clients: { ...tenant.clients, scim: { ...tenant.clients.scim, token: connector.token } } },
    { id, token: everything, name: `ours-${suffix}` },
  );
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
  const privilegedGroup = await newGroup('administrators', [people.administrator.id]);
  await change(
    'mutation ($input: AssignGroupRoleInput!) { assignGroupRole(input: $input) { group { id } } }',
    {
      input: { groupId: privilegedGroup, role: 'TENANT_ADMIN' },
    },
  );
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
  const everyScope = [everyOwnScope, ...allScopes].join(' ');
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
  // Somebody who left, and whose apps were told.
  const departed = await employ('departed');
  await signedIn(departed);
  await scim.patch(`/Users/${departed.id}`, [{ op: 'replace', path: 'active', value: false }]);
  await eventually(
    async () =>
      (await graph(demo, everything, `{ departures(userId: "${departed.id}") { deliveries { attempts } } }`))
        .data.departures[0]?.deliveries[0]?.attempts ?? 0,
    (attempts) => attempts > 0,
  );
  const stream = await post<{ stream_id: string }>(`${issuer}/ssf/stream`, everything, {
    description: 'Payroll',
    events_requested: ['https://schemas.openid.net/secevent/caep/event-type/credential-change'],
  });
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

  // Provisioning hears of people through events, and writes its log in batches.
  const heard = await eventually(
    () =>
      graph(
        demo,
        everything,
        `query ($id: ID!) { user(id: $id) { provisioning { externalId } } provisioningLog(first: 1) { edges { node { id } } } connectorLog(first: 1) { edges { node { id } } } securityLog(first: 1) { edges { node { id } } } }`,
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
    people: {
      other: people.other,
      user: people.user,
      helpDesk: people.helpDesk,
      auditor: people.auditor,
      tenantAdmin: people.tenantAdmin,
    },
    connectorToken: connector.token,
    rivalAdmin: { name: 'rivalAdmin', token: rivalToken },
    ids: {
      logEntry: heard.data.provisioningLog.edges[0].node.id,
      connectorLogEntry: heard.data.connectorLog.edges[0].node.id,
      user: people.other.id,
      administrator: people.administrator.id,
      departed: departed.id,
      group,
      privilegedGroup,
      client: powerless.client.id,
      serviceAccount: account,
      signalStream: stream.stream_id,
      webhook: webhook.webhook.id,
      delivery: test.deliveryId,
      securityEvent: heard.data.securityLog.edges[0].node.id,
      connector: connector.connector.id,
      schema,
    },
    ours,
    foreign: await elsewhere,
  };
}
