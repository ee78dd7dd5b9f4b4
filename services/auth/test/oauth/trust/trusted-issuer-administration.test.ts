import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { bearerGrant, exchangeGrant, Signatory } from '../../support/assertions.ts';
import { rival, startTestService, type TestService, tenant, token } from '../../support/sign-in/service.ts';

interface GraphAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
  data: any;
  errors?: { message: string; extensions: { code: string } }[];
}

let service: TestService;
let reader: string;
let writer: string;
let clientsOnly: string;
let rivalWriter: string;
let partner: Signatory;
let app: string;

beforeAll(async () => {
  service = await startTestService();
  reader = await machineToken(tenant, 'clients:read');
  writer = await machineToken(tenant, 'clients:write users:write roles:write');
  clientsOnly = await machineToken(tenant, 'clients:write');
  rivalWriter = await machineToken(rival, 'clients:read clients:write users:write roles:write');
  partner = await Signatory.create('https://partner.example');
  app = (
    await service.client({
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: [bearerGrant],
      redirect_uris: [],
      scope: 'openid profile',
    })
  ).clientId;
});
afterAll(() => service.stop());

async function machineToken(of: string, scope: string): Promise<string> {
  const machine = await service.client(
    {
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope,
    },
    of,
  );
  const { body } = await token(service, machine, {
    grant_type: 'client_credentials',
    client_secret: machine.secret ?? '',
  });
  return body.access_token ?? '';
}

async function ask(accessToken: string, query: string, variables: object = {}): Promise<GraphAnswer> {
  const response = await fetch(`${service.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphAnswer;
}

const codesOf = (answer: GraphAnswer): string[] | undefined =>
  answer.errors?.map((error) => error.extensions.code);

const create = (accessToken: string, changes: object = {}) =>
  ask(
    accessToken,
    `mutation ($input: CreateTrustedIssuerInput!) { createTrustedIssuer(input: $input) {
       trustedIssuer { id name issuer jwks jwksUri clientIds scopes createdAt } } }`,
    {
      input: {
        name: 'Partner',
        issuer: partner.issuer,
        jwks: JSON.stringify(partner.jwks),
        clientIds: [app],
        scopes: ['openid'],
        ...changes,
      },
    },
  );
const remove = (accessToken: string, id: string) =>
  ask(accessToken, `mutation ($id: ID!) { deleteTrustedIssuer(input: { id: $id }) { trustedIssuerId } }`, {
    id,
  });
const list = (accessToken: string) => ask(accessToken, '{ trustedIssuers { id issuer jwksUri } }');

describe('trusted issuers', () => {
  test('Trusted issuers are added, listed and removed by callers who may write clients, in their own tenant.', async () => {
    const created = await create(writer);
    expect(created.errors).toBeUndefined();
    const { trustedIssuer } = created.data.createTrustedIssuer;
    expect(trustedIssuer).toMatchObject({
      name: 'Partner',
      issuer: partner.issuer,
      jwksUri: null,
      clientIds: [app],
      scopes: ['openid'],
    });
    expect(JSON.parse(trustedIssuer.jwks).keys[0].kid).toBe(partner.jwk.kid);

    expect((await list(reader)).data.trustedIssuers).toHaveLength(1);
    expect((await list(rivalWriter)).data.trustedIssuers).toEqual([]);
    expect(codesOf(await remove(rivalWriter, trustedIssuer.id))).toEqual(['NOT_FOUND']);
    expect((await list(reader)).data.trustedIssuers).toHaveLength(1);

    expect((await remove(writer, trustedIssuer.id)).data.deleteTrustedIssuer).toEqual({
      trustedIssuerId: trustedIssuer.id,
    });
    expect(codesOf(await remove(writer, trustedIssuer.id))).toEqual(['NOT_FOUND']);
    expect(codesOf(await remove(writer, 'no id'))).toEqual(['NOT_FOUND']);
  });

  test('Trusted issuers cannot be seen or added by callers without the scope.', async () => {
    expect(codesOf(await create(reader))).toEqual(['FORBIDDEN']);
    expect(codesOf(await remove(reader, app))).toEqual(['FORBIDDEN']);
    expect(codesOf(await list(await machineToken(tenant, 'users:read')))).toEqual(['FORBIDDEN']);
  });

  test.each([
    ['keys that are no JSON', { jwks: 'nonsense' }],
    ['a client of another tenant', { clientIds: ['00000000-0000-7000-8000-000000000000'] }],
    ['a scope nobody knows', { scopes: ['everything'] }],
    ['keys twice', { jwksUri: 'https://partner.example/jwks' }],
  ])('A trusted issuer with %s is rejected with BAD_USER_INPUT.', async (_, changes) => {
    expect(codesOf(await create(writer, changes))).toEqual(['BAD_USER_INPUT']);
  });
});

test('A client is registered with a token exchange policy, and the policy is changed.', async () => {
  const registered = await ask(
    writer,
    `mutation ($input: RegisterClientInput!) { registerClient(input: $input) {
       client { id mayAct tokenExchange { subjectClients impersonation } } } }`,
    {
      input: {
        name: 'API',
        grantTypes: [exchangeGrant],
        tokenExchange: { subjectClients: [app], impersonation: true },
        mayAct: app,
      },
    },
  );
  expect(registered.errors).toBeUndefined();
  const { client } = registered.data.registerClient;
  expect(client).toMatchObject({
    mayAct: app,
    tokenExchange: { subjectClients: [app], impersonation: true },
  });
  const update = (input: object) =>
    ask(
      writer,
      `mutation ($input: UpdateClientInput!) { updateClient(input: $input) {
         client { tokenExchange { subjectClients impersonation } } } }`,
      { input: { id: client.id, ...input } },
    );
  const narrowed = await update({ tokenExchange: { subjectClients: [] } });
  expect(narrowed.data.updateClient.client.tokenExchange).toEqual({
    subjectClients: [],
    impersonation: false,
  });
  const without = await update({ grantTypes: ['client_credentials'] });
  expect(without.data.updateClient.client.tokenExchange).toBeNull();
});

test('A caller who may only manage clients cannot add an issuer, which could represent every user.', async () => {
  expect(codesOf(await create(clientsOnly, { issuer: 'https://mine.example' }))).toEqual(['FORBIDDEN']);
});

describe('issuer subjects', () => {
  const bind = (accessToken: string, input: object) =>
    ask(
      accessToken,
      `mutation ($input: BindIssuerSubjectInput!) { bindIssuerSubject(input: $input) {
         issuerSubject { id trustedIssuerId subject user { id } } problems { code } } }`,
      { input },
    );
  const bound = (accessToken: string, filter: object = {}) =>
    ask(
      accessToken,
      'query ($filter: IssuerSubjectFilter) { issuerSubjects(filter: $filter) { totalCount edges { node { id subject user { id } } } } }',
      { filter },
    );
  const unbind = (accessToken: string, id: string) =>
    ask(accessToken, 'mutation ($id: ID!) { unbindIssuerSubject(input: { id: $id }) { issuerSubjectId } }', {
      id,
    });

  test('An issuer subject is bound, read and unbound in one tenant, by a caller with the permissions of the user.', async () => {
    const made = await create(writer, { issuer: 'https://means.example' });
    const trustedIssuerId = made.data.createTrustedIssuer.trustedIssuer.id;
    const { id: userId } = await service.person('meant');
    const input = { trustedIssuerId, subject: 'employee-1', userId };
    expect(codesOf(await bind(clientsOnly, input))).toEqual(['FORBIDDEN']);
    expect(codesOf(await bind(reader, input))).toEqual(['FORBIDDEN']);
    const answer = await bind(writer, input);
    const { issuerSubject } = answer.data.bindIssuerSubject;
    expect(issuerSubject).toMatchObject({ trustedIssuerId, subject: 'employee-1', user: { id: userId } });
    expect((await bind(writer, input)).data.bindIssuerSubject.problems).toEqual([{ code: 'CONFLICT' }]);
    expect((await bind(rivalWriter, { ...input, subject: 'x' })).data.bindIssuerSubject.problems).toEqual([
      { code: 'NOT_FOUND' },
    ]);
    expect((await bound(reader, { userId })).data.issuerSubjects.totalCount).toBe(1);
    expect((await bound(rivalWriter)).data.issuerSubjects.totalCount).toBe(0);
    expect(codesOf(await unbind(rivalWriter, issuerSubject.id))).toEqual(['NOT_FOUND']);
    expect((await unbind(writer, issuerSubject.id)).data.unbindIssuerSubject.issuerSubjectId).toBe(
      issuerSubject.id,
    );
    expect((await bound(reader, { trustedIssuerId })).data.issuerSubjects.totalCount).toBe(0);
  });

  test('Binding an issuer subject to a user with a role requires the same permissions as the grant of the role.', async () => {
    const made = await create(writer, { issuer: 'https://above.example' });
    const trustedIssuerId = made.data.createTrustedIssuer.trustedIssuer.id;
    const { id: userId } = await service.person('boss');
    await service.internal(
      'POST',
      `/tenants/${tenant}/roles`,
      { subject: userId, role: 'tenant_admin' },
      'operator',
    );
    expect(codesOf(await bind(writer, { trustedIssuerId, subject: 'boss', userId }))).toEqual(['FORBIDDEN']);
    expect((await bound(reader, { userId })).data.issuerSubjects.totalCount).toBe(0);
  });
});
