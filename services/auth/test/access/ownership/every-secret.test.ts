import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { rightOfKind } from '../../../src/access/ownership/domain/known-secret.ts';
import { routeConferrals } from '../../../src/app.ts';
import { composedMutations } from '../../support/composed-mutations.ts';
import { expectCovered } from '../../support/covering.ts';
import { Programs } from '../../support/sign-in/programs.ts';
import { rival, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';
import { type IsAccepted, SecretCalls } from './secret-calls.ts';

// Calls every operation that returns a secret or accepts a key: as a user, as a program of the user and as a program of
// that program. After the user is offboarded, every such secret is rejected. A new operation without a row fails.

/** Text fields of inputs that contain no key, secret or address of a receiver. Any other field requires a row. */
const plainInputs: ReadonlySet<string> = new Set([
  ...[
    'idempotencyKey',
    'name',
    'description',
    'displayName',
    'reason',
    'subject',
    'issuer',
    'clientId',
    'scopes',
  ],
  // Of clients.
  ...['redirectUris', 'postLogoutRedirectUris', 'requestUris', 'clientUri', 'logoUri', 'policyUri', 'tosUri'],
  ...['sectorIdentifierUri', 'backchannelLogoutUri', 'grantTypes', 'resources', 'protectedResources'],
  // Of users and groups.
  ...[
    'userName',
    'externalId',
    'extensions',
    'formatted',
    'familyName',
    'givenName',
    'middleName',
    'nickName',
  ],
  ...[
    'honorificPrefix',
    'honorificSuffix',
    'value',
    'display',
    'type',
    'streetAddress',
    'locality',
    'region',
  ],
  ...['postalCode', 'country', 'profileUrl', 'title', 'userType', 'preferredLanguage', 'locale', 'timezone'],
  // Of schemas, connectors, branding and policies.
  ...['canonicalValues', 'referenceTypes', 'removeAttributes', 'paths', 'color', 'logo', 'logoUrl'],
  ...['bannedPasswordWords', 'webOrigins'],
]);

/** Mutations that return a secret or accept a key, with the call that tests them. */
const mutations = {
  registerClient: 'registerClient',
  rotateClientSecret: 'rotateClientSecret',
  updateClient: 'updateClient',
  createInitialAccessToken: 'createInitialAccessToken',
  createApiKey: 'createApiKey',
  addServiceAccountKey: 'addServiceAccountKey',
  createPersonalAccessToken: 'createPersonalAccessToken',
  inviteUser: 'inviteUser',
  resetUserAccess: 'resetUserAccess',
  assignRole: 'assignRole',
  createWebhook: 'createWebhook',
  updateWebhook: 'updateWebhook',
  rotateWebhookSecret: 'rotateWebhookSecret',
  createTrustedIssuer: 'createTrustedIssuer',
  bindIssuerSubject: 'bindIssuerSubject',
} as const satisfies Record<string, keyof SecretCalls>;

/** Other mutations that confer a right or return a text, with the reason why they need no row. */
const withoutSecret: Readonly<Record<string, string>> = {
  enableClient: 'Returns no secret; what was ended stays ended.',
  registerApi: 'Defines an API; its identifier and scopes are no secrets.',
  updateApi: 'Changes an API; its identifier and scopes are no secrets.',
  updateClientDocumentPolicy:
    'Names hosts and APIs; a client proves itself by its document, and its users consent.',
  createServiceAccount: 'Creates an account without a key.',
  updateServiceAccount: 'Changes the scopes of an account.',
  transferCredential: 'Changes the owner; secrets stay with the users who know them.',
  removeRole: 'The field renewalUrl of its payload belongs to assignRole and is null.',
  assignGroupRole: 'Gives a role, which ends with the users who have it.',
  assignApiRole: 'Gives a role of an API, which ends with the user.',
  removeApiRole: 'Removes a role of an API.',
  removeGroupApiRole: 'Removes a role of an API.',
  assignGroupApiRole: 'Gives a role of an API, which ends with the users who have it.',
  removeAuthenticatorApp: 'Removes a factor of another user.',
  removePasskey: 'Removes a factor of another user.',
  createConnector: 'Connector tokens: services/provisioning/test/connectors/known-tokens.test.ts.',
  rotateConnectorToken: 'Connector tokens: services/provisioning/test/connectors/known-tokens.test.ts.',
  updateConnector: 'Changes the access of a connector.',
  transferConnector: 'Changes the owner; tokens stay with the users who know them.',
  enableConnector: 'Returns no secret; what was ended stays ended.',
  addGroupMembers: 'Gives the roles of a group, which end with the users who have them.',
  restoreUser: 'Returns no secret; what was ended stays ended.',
  restoreGroup: 'Returns no secret; what was ended stays ended.',
  updateUser: 'Changes the attributes of a user.',
  reactivateUser: 'Returns no secret; what was ended stays ended.',
};

/** Only users have personal access tokens. */
const ofUsers: ReadonlySet<string> = new Set(['createPersonalAccessToken']);

/** Routes outside of the graph that return a secret or accept a key. */
const routes = {
  'POST /t/:tenant/register': 'register',
  'GET /t/:tenant/register/:clientId': 'readRegistration',
  'PUT /t/:tenant/register/:clientId': 'updateRegistration',
  'POST /t/:tenant/ssf/stream': 'createStream',
} as const satisfies Record<string, keyof SecretCalls>;

/** Other routes that confer a right, with the reason why they need no row. */
const withoutRow: Readonly<Record<string, string>> = {
  'POST /graphql': 'The mutations are above.',
  'POST /t/:tenant/account/password': 'A credential of the signed-in user, which ends with the user.',
  'POST /t/:tenant/account/passkeys': 'A credential of the signed-in user, which ends with the user.',
  'POST /t/:tenant/account/totp': 'A credential of the signed-in user, which ends with the user.',
  'POST /t/:tenant/account/recovery-codes': 'Credentials of the signed-in user, which end with the user.',
  'POST /t/:tenant/account/tokens': 'A token of the signed-in user, as `createPersonalAccessToken`.',
  'POST /t/:tenant/personal-access-tokens': 'A token of the signed-in user, as `createPersonalAccessToken`.',
  'POST /t/:tenant/authorize': 'A grant of the signed-in user.',
  'POST /t/:tenant/consent': 'A grant of the signed-in user.',
  'POST /t/:tenant/device': 'A grant of the signed-in user.',
  'POST /t/:tenant/device_authorization':
    'A request that lives for minutes, and gives nothing without a user.',
  'POST /t/:tenant/login': 'A session of the signed-in user.',
  'POST /t/:tenant/login/passkey': 'A session of the signed-in user.',
  'POST /t/:tenant/login/verify': 'A session of the signed-in user.',
  'POST /t/:tenant/login/recover': 'A link for the signed-in user, which ends with the user.',
  'POST /t/:tenant/select-account': 'A session of the signed-in user.',
  'POST /t/:tenant/invitation': 'A credential of the invited user, which ends with that user.',
  'POST /t/:tenant/par': 'A request that lives for seconds.',
  'POST /t/:tenant/token': 'Tokens, which end with the grant or the epoch of the program.',
  'PATCH /t/:tenant/ssf/stream': 'Replaces the address as POST sets it (`known-receivers.test.ts`).',
  'PUT /t/:tenant/ssf/stream': 'Replaces the address as POST sets it (`known-receivers.test.ts`).',
  'POST /t/:tenant/ssf/status': 'Returns no secret.',
  'POST /t/:tenant/ssf/subjects/add': 'Returns no secret.',
  'POST /t/:tenant/ssf/subjects/remove': 'Returns no secret.',
  'POST /t/:tenant/ssf/verification': 'Returns no secret.',
  'POST /t/:tenant/ssf/poll/:streamId': 'Events of the stream.',
  'POST /internal/v1/tenants/:tenant/clients': 'Answers the operator only.',
  'POST /internal/v1/tenants/:tenant/roles': 'Answers the operator only.',
  'POST /internal/v1/tenants/:tenant/invitations': 'Answers the operator only.',
  'POST /internal/v1/tenants/:tenant/credentials': 'Answers services and the operator only.',
  'POST /internal/v1/tenants/:tenant/credentials/:ticket/activate': 'Answers services and the operator only.',
};

const account = '/t/:tenant/account';

/** Other reading routes, with the reason why they need no row. */
const reading = {
  'Public data.': [
    ...['/livez', '/readyz', '/t/:tenant/jwks', '/t/:tenant/logo/:digest'],
    ...['/t/:tenant/clients/:client/logo/:digest', '/.well-known/ssf-configuration/t/:tenant'],
    ...['/.well-known/oauth-authorization-server/t/:tenant', '/t/:tenant/.well-known/openid-configuration'],
    '/t/:tenant/.well-known/oauth-authorization-server',
  ],
  'A page of the sign-in or of a decision.': [
    ...['/t/:tenant/authorize', '/t/:tenant/login', '/t/:tenant/login/verify', '/t/:tenant/login/recover'],
    ...['/t/:tenant/select-account', '/t/:tenant/consent', '/t/:tenant/logout', '/t/:tenant/signed-out'],
    ...['/t/:tenant/device', '/t/:tenant/device/finished', '/t/:tenant/invitation'],
  ],
  'Credentials of the signed-in user, which end with the user.': [
    ...[
      account,
      `${account}/password`,
      `${account}/passkeys`,
      `${account}/totp`,
      `${account}/recovery-codes`,
    ],
    ...[`${account}/tokens`, `${account}/tokens/made`],
  ],
  'Returns no secret.': [
    ...['/t/:tenant/personal-access-tokens', '/t/:tenant/userinfo', '/t/:tenant/ssf/stream'],
    '/t/:tenant/ssf/status',
  ],
  'Returns a key of digests, with which nothing is accepted.': ['/t/:tenant/revocations'],
  'Answers services of the installation only.': [
    ...['/internal/v1/ownership-ends', '/internal/v1/revocations', '/internal/v1/web-origins'],
    '/internal/v1/tenants/:tenant/administrators',
  ],
} as const satisfies Record<string, readonly string[]>;

const whatToDo =
  'Add a call to `SecretCalls` and a row, or the reason why it returns no secret and accepts no key.';

test('Every mutation that confers a right, returns a text or accepts a key has a row or a reason.', () => {
  const found = composedMutations().filter(
    ({ confers, returns, accepts }) =>
      confers || returns.length > 0 || accepts.some((name) => !plainInputs.has(name)),
  );
  expectCovered(
    found.map(({ name }) => name),
    [...Object.keys(mutations), ...Object.keys(withoutSecret)],
    whatToDo,
  );
});

test('Every text field of an input that is listed as plain exists.', () => {
  const accepted = new Set(composedMutations().flatMap(({ accepts }) => accepts));
  expect([...plainInputs].filter((name) => !accepted.has(name))).toEqual([]);
});

let service: TestService;
let programs: Programs;
beforeAll(async () => {
  service = await startTestService();
  programs = new Programs(service);
});
afterAll(() => service?.stop());

test('Every route that confers a right has a row or a reason.', () => {
  const conferring = Object.entries(routeConferrals({ deviceFlow: true }))
    .filter(([, { confers }]) => confers !== 'nothing')
    .map(([route]) => route);
  const changing = Object.keys(routes).filter((route) => !route.startsWith('GET '));
  expectCovered(conferring, [...changing, ...Object.keys(withoutRow)], whatToDo);
});

test('Every reading route has a row or a reason.', async () => {
  const urls = service
    .routes()
    .filter(({ methods }) => methods.includes('GET'))
    .map(({ url }) => url);
  // Endpoints without GET answer 405.
  const statuses = await Promise.all(urls.map(async (url) => (await fetch(service.origin + url)).status));
  const rows = Object.keys(routes).flatMap((route) => /^GET (.+)/.exec(route)?.[1] ?? []);
  expectCovered(
    urls.filter((_, index) => statuses[index] !== 405),
    [...rows, ...Object.values(reading).flat()],
    whatToDo,
  );
});

describe.each([tenant, rival])('in the tenant %s', (of) => {
  test('Everything that a user, their program and the program of that program received or supplied is rejected after the user is offboarded.', async () => {
    const [gone, colleague] = [
      await programs.administrator(`gone-${of}`, of),
      await programs.administrator(`stays-${of}`, of),
    ];
    const calls = new SecretCalls(service, programs, of);
    await calls.prepare(colleague.accessToken);
    const program = await programs.accessToken(await programs.register(gone.accessToken), of);
    const inner = await programs.accessToken(await programs.register(program), of);
    const open = new Map<string, IsAccepted>();
    for (const [who, by] of Object.entries({ user: gone.accessToken, program, inner })) {
      for (const [name, call] of Object.entries({ ...mutations, ...routes })) {
        if (who !== 'user' && ofUsers.has(name)) continue;
        open.set(`${name} by ${who}`, await calls[call](by));
        // A client has one key set, which the next caller replaces.
        if (call === 'updateClient') await calls.prepare(colleague.accessToken);
      }
    }
    for (const [what, isAccepted] of open) expect([what, await isAccepted()]).toEqual([what, true]);
    const known = await service.deps.knownSecrets.knownTo(service.deps.database.sql, of, gone.id);
    expect(new Set(known.map(({ kind }) => kind))).toEqual(new Set(Object.keys(rightOfKind)));
    // Every secret has a name for the report, except that of another user.
    expect(known.filter(({ kind, name }) => (name === null) !== (kind === 'invitation'))).toEqual([]);
    await service.directory.change(of, gone.id, 'user.deactivated');
    await eventually(async () => (await service.deps.subjects.find(of, gone.id))?.active === false);
    const stillOpen: string[] = [];
    for (const [what, isAccepted] of open) if (await isAccepted()) stillOpen.push(what);
    expect(stillOpen).toEqual([]);
    expect(await service.deps.knownSecrets.knownTo(service.deps.database.sql, of, gone.id)).toEqual([]);
  });
});
