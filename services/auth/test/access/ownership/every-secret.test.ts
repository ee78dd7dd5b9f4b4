import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { type FieldDefinitionNode, Kind, parse, type TypeNode } from 'graphql';
import { knownTo } from '../../../src/access/ownership/data/known-secrets.ts';
import { typeDefs } from '../../../src/composition/schema.ts';
import { Programs } from '../../support/sign-in/programs.ts';
import { rival, startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';
import { type IsAccepted, SecretCalls } from './secret-calls.ts';

// Calls every operation that returns a secret or accepts a key: as a user, as a program of the user and as a program of
// that program. After the user is offboarded, every such secret is rejected. A new operation without a row fails.

/** Names of response fields that contain a secret, and of input fields that contain a key or a receiver's address. */
const returned = /secret|token|url|password|code/i;
const accepted = /jwk|endpoint|certificate|publicKey|secret|password/i;

/** Operations of the graph that match these names, with the call that tests them. */
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

/** Mutations that confer a right and return no secret, with the reason why the caller learns no secret. */
const withoutSecret: Readonly<Record<string, string>> = {
  enableClient: 'Returns no secret; what was ended stays ended.',
  createServiceAccount: 'Creates an account without a key.',
  updateServiceAccount: 'Changes the scopes of an account.',
  transferCredential: 'Changes the owner; secrets stay with the users who know them.',
  removeRole: 'The field renewalUrl of its payload belongs to assignRole and is null.',
  assignGroupRole: 'Gives a role, which ends with the users who have it.',
  removeAuthenticatorApp: 'Removes a factor of another user.',
  removePasskey: 'Removes a factor of another user.',
  revokeInitialAccessToken: 'Returns the id of what it ends.',
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

/** Other routes with methods besides GET, with the reason why they need no row. The longest prefix applies. */
const otherRoutes: Readonly<Record<string, string>> = {
  '/internal/': 'Answers services of the installation only.',
  '/graphql': 'The mutations are above.',
  '/t/:tenant/account': 'Credentials of the signed-in user, which end with the user.',
  '/t/:tenant/personal-access-tokens': 'Tokens of the signed-in user, which end with the user.',
  '/t/:tenant/authorize': 'A grant of the signed-in user.',
  '/t/:tenant/consent': 'A grant of the signed-in user.',
  '/t/:tenant/device': 'A grant of the signed-in user.',
  '/t/:tenant/login': 'A session of the signed-in user.',
  '/t/:tenant/select-account': 'A session of the signed-in user.',
  '/t/:tenant/invitation': 'Credentials of the invited user, which end with that user.',
  '/t/:tenant/logout': 'Ends a session.',
  '/t/:tenant/signed-out': 'A page.',
  '/t/:tenant/par': 'A request that lives for seconds.',
  '/t/:tenant/token': 'Tokens, which end with the grant or the epoch of the program.',
  '/t/:tenant/introspect': 'Reads a token.',
  '/t/:tenant/revoke': 'Ends a token.',
  '/t/:tenant/userinfo': 'Reads claims.',
  '/t/:tenant/register': 'Other methods answer 405, and DELETE ends the registration.',
  '/t/:tenant/ssf/stream': 'PATCH and PUT replace the address as POST sets it (`known-receivers.test.ts`).',
  '/t/:tenant/ssf': 'Status, subjects and events of a stream.',
};

const named = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type);

/**
 * Returns every mutation with the names of the text fields of its payload and inputs, and whether it confers a right.
 */
function mutationsOfSchema() {
  const fields = new Map<string, { name: { value: string }; type: TypeNode }[]>();
  const all: FieldDefinitionNode[] = [];
  for (const definition of parse(typeDefs).definitions) {
    if (!('fields' in definition) || !('name' in definition)) continue;
    const name = definition.name.value;
    if (name === 'Mutation') all.push(...((definition.fields ?? []) as FieldDefinitionNode[]));
    else fields.set(name, [...(fields.get(name) ?? []), ...(definition.fields ?? [])]);
  }
  const texts = (type: TypeNode) =>
    (fields.get(named(type)) ?? [])
      .filter((field) => named(field.type) === 'String')
      .map(({ name }) => name.value);
  return all.map((mutation) => ({
    name: mutation.name.value,
    returns: texts(mutation.type),
    accepts: (mutation.arguments ?? []).flatMap(({ type }) => texts(type)),
    confers: (mutation.directives ?? []).some(
      ({ name, arguments: given }) =>
        name.value === 'confers' && given?.some((argument) => argument.name.value === 'rights'),
    ),
  }));
}

test('Every mutation that confers a right, returns a secret or accepts a key has a row or a reason.', () => {
  const found = mutationsOfSchema()
    .filter(
      ({ confers, returns, accepts }) =>
        confers || returns.some((name) => returned.test(name)) || accepts.some((name) => accepted.test(name)),
    )
    .map(({ name }) => name);
  expect(found.length).toBeGreaterThan(15);
  expect(found.filter((name) => !(name in mutations) && !(name in withoutSecret))).toEqual([]);
  expect(Object.keys(mutations).filter((name) => !found.includes(name))).toEqual([]);
});

let service: TestService;
let programs: Programs;
beforeAll(async () => {
  service = await startTestService();
  programs = new Programs(service);
});
afterAll(() => service?.stop());

test('Every route that changes something has a row or a reason.', () => {
  const changing = service
    .routes()
    .flatMap(({ url, methods }) => methods.map((method) => `${method} ${url}`))
    .filter((route) => !/^(GET|HEAD|OPTIONS) /.test(route));
  expect(changing.length).toBeGreaterThan(30);
  const explained = (route: string) =>
    route in routes ||
    Object.keys(otherRoutes).some((prefix) => route.slice(route.indexOf(' ') + 1).startsWith(prefix));
  expect(changing.filter((route) => !explained(route))).toEqual([]);
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
    await service.directory.change(of, gone.id, 'user.deactivated');
    await eventually(async () => (await service.deps.subjects.find(of, gone.id))?.active === false);
    const stillOpen: string[] = [];
    for (const [what, isAccepted] of open) if (await isAccepted()) stillOpen.push(what);
    expect(stillOpen).toEqual([]);
    expect(await knownTo(service.deps.database.sql, of, gone.id)).toEqual([]);
  });
});
