import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeJwt } from 'jose';
import { runningDemo, unique } from '../../support/demo.ts';
import { eventually } from '../../support/eventually.ts';
import { type GraphAnswer, graph } from '../../support/graph.ts';
import { connect, type LiveSocket, listen, type Subscriber } from '../../support/live.ts';
import { groupSchema, ScimClient, userSchema } from '../../support/scim.ts';
import { adminToken, signIn } from '../../support/sign-in.ts';
import { nameOf, type Others, type Place, places, written } from './places.ts';

const demo = runningDemo();
const { demo: ours, rival } = demo.tenants;

/** Ids that nothing has; in which case nobody can tell which of them are of the right form. */
const unknown = randomUUID();
const malformed = [
  'nonsense',
  '',
  ' ',
  '0',
  '-1',
  '01900000-0000-7000-8000-00000000000g',
  '01900000-0000-7000-8000-000000000000 ',
  '{01900000-0000-7000-8000-000000000000}',
  '01900000000070008000000000000000',
  '01900000-0000-7000-8000-00000000000A',
  '\u0000',
  "'; --",
  '%00/../..',
  'ünknown',
  'x'.repeat(300),
];

/** Ids of things of the other tenant, one of each kind. */
let foreign: string[];
let tokens: { app: string; person: string };
let own: Record<'user' | 'group' | 'client' | 'connector' | 'serviceAccount', string>;

const things = `{
  users(first: 1) { edges { node { id sessions { id } } } } groups(first: 1) { edges { node { id } } }
  clients(first: 1) { edges { node { id } } } connectors(first: 1) { edges { node { id } } }
  serviceAccounts(first: 1) { edges { node { id } } } auditLog(first: 1) { edges { node { id } } }
}`;

interface Node {
  node: { id: string };
}

const idsIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap(idsIn)
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([name, each]) => (name === 'id' ? [String(each)] : idsIn(each)))
      : [];

async function belongings(tenant: typeof ours): Promise<Record<string, { edges: Node[] }>> {
  const token = await adminToken(tenant);
  const make =
    'mutation ($name: String!) { createGroup(input: { displayName: $name }) { group { id } } createServiceAccount(input: { name: $name, scopes: ["users:read"] }) { serviceAccount { id } problems { message } } }';
  await graph(demo, token, make, { name: unique('thing') });
  const { data, errors } = await graph(demo, token, things);
  expect(errors).toEqual([]);
  return data;
}

beforeAll(async () => {
  const [elsewhere, here] = await Promise.all([belongings(ours), belongings(rival)]);
  foreign = idsIn(elsewhere);
  const first = (name: string): string => here[name]?.edges[0]?.node.id ?? '';
  own = {
    user: first('users'),
    group: first('groups'),
    // Not the one that asks: a change of it may end its tokens.
    client: rival.clients.api.client_id,
    connector: first('connectors'),
    serviceAccount: first('serviceAccounts'),
  };
  const person = await signIn(demo, rival, rival.users.admin, {
    scope:
      'openid users:read users:write groups:read groups:write clients:read clients:write sessions:read sessions:write roles:read roles:write connectors:read connectors:write',
  }).catch(() => undefined);
  const app = await adminToken(rival);
  tokens = { app, person: person?.tokens.access_token ?? app };
});

/** Without the id that was asked for, which answers may repeat. */
const without = (value: unknown, id: string): string => {
  const text = JSON.stringify(value ?? null);
  const said = JSON.stringify(id).slice(1, -1);
  return id.length < 3 ? text : text.replaceAll(said, '<id>').replaceAll(said.toLowerCase(), '<id>');
};

/** These name what is to be, not what is. */
const names = new Set(['mutation createTenant(input.id:)', 'mutation createSchema(input.id:)']);

/** A tenant's own log has what its sources asked for, also where that is somebody else's. */
const ownWords = new Set(['query provisioningLog(resourceId:)']);

/** What the rest of an input needs so that it is the id that is wrong with it. */
function othersOf({ field, path }: Place): Others {
  const isMember = path.at(-1) === 'memberIds';
  const last = path.at(-1) ?? '';
  const others: Record<string, Others> = {
    createGroup: { 'input.displayName': JSON.stringify(unique('never')) },
    createTrustedIssuer: {
      'input.name': '"never"',
      'input.issuer': JSON.stringify(`https://${unique('issuer')}.test`),
      'input.jwksUri': '"https://issuer.test/jwks"',
      'input.clientIds': `["${own.client}"]`,
      'input.scopes': '["users:read"]',
      'input.subjectMapping': last === 'source' ? 'EXTERNAL_ID' : 'USER_NAME',
    },
    revokeConnectorToken: last === 'tokenId' ? { 'input.id': `"${own.connector}"` } : {},
    updateClient: last === 'id' ? {} : { 'input.id': `"${own.client}"` },
    updateConnector: last === 'id' ? {} : { 'input.id': `"${own.connector}"` },
    registerClient: { 'input.scopes': '["users:read"]', 'input.grantTypes': '["client_credentials"]' },
    updateTenantPolicy:
      last === 'id'
        ? { 'input.uniqueGroupNames': 'false' }
        : { 'input.ownedCredentialsOnOffboarding': 'HAND_OVER' },
    assignRole: { 'input.role': 'AUDITOR' },
  };
  return { ...(isMember ? { 'input.groupId': `"${own.group}"` } : {}), ...others[field.name] };
}

/** What one of several root fields was answered. */
function part({ data, errors }: GraphAnswer, name: string, id: string): string {
  const own = errors.filter(({ path }) => path?.[0] === name);
  return without(
    {
      value: data?.[name],
      errors: own.map(({ message, path, extensions }) => [message, path?.slice(1), extensions?.code]),
    },
    id,
  );
}

async function answersTo(place: Place, token: string, ids: readonly string[]): Promise<string[]> {
  const answers: string[] = [];
  for (let start = 0; start < ids.length; start += 12) {
    const some = ids.slice(start, start + 12);
    const fields = some.map((id, index) => `a${index}: ${written(place, id, othersOf(place))}`);
    const answer = await graph(demo, token, `${place.root} { ${fields.join(' ')} }`);
    if (answer.data === undefined || answer.data === null)
      throw new Error(`${fields[0]}: ${JSON.stringify(answer.errors)}`);
    answers.push(...some.map((id, index) => part(answer, `a${index}`, id)));
  }
  return answers;
}

describe('in the graph, a malformed id and another tenant’s are answered like one that nothing has', () => {
  const asked = places.filter((place) => place.root !== 'subscription' && !names.has(nameOf(place)));

  test('wherever an id can be said', async () => {
    expect(asked.length).toBeGreaterThan(100);
    const differences: unknown[] = [];
    for (const place of asked) {
      for (const token of new Set([tokens.app, tokens.person])) {
        const ids = [unknown, randomUUID(), ...malformed, ...(ownWords.has(nameOf(place)) ? [] : foreign)];
        const [expected, ...others] = await answersTo(place, token, ids);
        for (const [index, answer] of others.entries()) {
          if (answer !== expected) {
            differences.push([
              nameOf(place),
              token === tokens.app ? 'app' : 'person',
              ids[index + 1],
              answer,
              expected,
            ]);
          }
        }
      }
    }
    expect(differences).toEqual([]);
  });
});

describe('subscriptions', () => {
  const asked = places.filter((place) => place.root === 'subscription');
  const fields = new Set(asked.map(({ field }) => field.name));
  const rename = (client: ScimClient, path: string) =>
    client.patch(path, [{ op: 'replace', path: 'displayName', value: unique('renamed') }]);

  /** How each id was answered, by the place where it was said. */
  type Outcomes = Map<string, { id: string; subscriber: Subscriber }[]>;

  async function overEventStreams(ids: readonly string[]): Promise<{ outcomes: Outcomes; stop: () => void }> {
    const outcomes: Outcomes = new Map();
    for (const place of asked) {
      const opening = ids.map(async (id) => {
        const query = `subscription { ${written(place, id, {})} }`;
        return { id, subscriber: await listen(demo.graphql, tokens.app, { query }) };
      });
      outcomes.set(nameOf(place), await Promise.all(opening));
    }
    return { outcomes, stop: () => stopAll(outcomes) };
  }

  async function overWebSockets(ids: readonly string[]): Promise<{ outcomes: Outcomes; stop: () => void }> {
    const outcomes: Outcomes = new Map();
    const sockets: LiveSocket[] = [];
    const open = async (): Promise<LiveSocket> => {
      const socket = connect(demo.graphql, { authorization: `Bearer ${tokens.app}` });
      sockets.push(socket);
      await socket.acknowledged;
      return socket;
    };
    for (const place of asked) {
      const opened: { id: string; subscriber: Subscriber }[] = [];
      for (let start = 0; start < ids.length; start += 20) {
        const socket = await open();
        for (const id of ids.slice(start, start + 20)) {
          const query = `subscription { ${written(place, id, {})} }`;
          opened.push({ id, subscriber: socket.subscribe({ query }) });
        }
      }
      outcomes.set(nameOf(place), opened);
    }
    return {
      outcomes,
      stop: () => {
        stopAll(outcomes);
        for (const socket of sockets) socket.close();
      },
    };
  }

  const stopAll = (outcomes: Outcomes): void => {
    for (const { subscriber } of [...outcomes.values()].flat()) subscriber.stop();
  };

  /** Something happens of every kind, here and elsewhere, until whoever listens to everything here has heard of all of it. */
  async function everythingHappens(here: string, elsewhere: string): Promise<void> {
    const witnesses = await Promise.all(
      [...fields].map((name) =>
        listen(demo.graphql, tokens.app, { query: `subscription { ${name} { __typename } }` }),
      ),
    );
    const [mine, theirs] = [rival, ours].map((tenant) => new ScimClient(tenant, tenant.clients.scim.token));
    await eventually(
      async () => {
        await rename(theirs as ScimClient, `/Users/${elsewhere}`);
        await rename(mine as ScimClient, `/Users/${here}`);
        await rename(mine as ScimClient, `/Groups/${own.group}`);
        const { tokens: signedIn } = await signIn(demo, rival, rival.users.admin);
        const revoke = 'mutation ($id: ID!) { revokeSession(input: { id: $id }) { problems { message } } }';
        await graph(demo, tokens.app, revoke, { id: decodeJwt(signedIn.access_token).sid });
        return witnesses.filter(({ results }) => results.length === 0).length;
      },
      (silent) => silent === 0,
      30_000,
    );
    for (const witness of witnesses) witness.stop();
  }

  test.each([
    ['server-sent events', overEventStreams],
    ['WebSockets', overWebSockets],
  ] as const)(
    'over %s: a malformed id hears as much as one that nothing has, and another tenant’s',
    async (_how, by) => {
      expect(fields.size).toBeGreaterThan(3);
      const [mine, theirs] = [rival, ours].map((tenant) => new ScimClient(tenant, tenant.clients.scim.token));
      const { id: here } = await (mine as ScimClient).createUser({ userName: unique('here') });
      const { id: elsewhere } = await (theirs as ScimClient).createUser({ userName: unique('elsewhere') });
      const ids = [unknown, randomUUID(), ...malformed, ...foreign.slice(0, 8), elsewhere];
      const { outcomes, stop } = await by(ids);
      await everythingHappens(here, elsewhere);
      const said: unknown[] = [];
      for (const [place, opened] of outcomes) {
        for (const { id, subscriber } of opened) {
          const end = await Promise.race([subscriber.ended, undefined]);
          // Open, as anybody's is, and never told of anything.
          if (end !== undefined || subscriber.results.length > 0)
            said.push([place, id, String(end), subscriber.results]);
        }
      }
      stop();
      expect(said).toEqual([]);
    },
  );
});

/** What of an answer another id must not change. */
async function answerTo(response: Response, id: string): Promise<string> {
  const { status, headers } = response;
  const whole = await response.text();
  // A page has something of its own each time.
  const said = /<title>.*<\/title>/.exec(whole)?.[0] ?? whole;
  const text = without(said, id).replaceAll(encodeURIComponent(id), id.length < 3 ? id : '<id>');
  return JSON.stringify([status, headers.get('content-type'), headers.get('www-authenticate'), text]);
}

/** Asks for each id in turn; the first is one that nothing has. */
async function sameForAll(
  ids: readonly string[],
  ask: (id: string) => Promise<Response>,
): Promise<{ expected: string | undefined; others: string[] }> {
  const answers: string[] = [];
  for (const id of ids) answers.push(await answerTo(await ask(id), id));
  const [expected, ...rest] = answers;
  return {
    expected,
    others: rest.flatMap((answer, index) =>
      answer === expected ? [] : [`${ids[index + 1]}: ${answer} instead of ${expected}`],
    ),
  };
}

/** As the id of a SCIM resource, where nothing can't be said. */
const inPaths = malformed.filter((id) => id !== '');
/** As a part of another address, where what could be read in two ways is refused as a request. */
const inAddresses = malformed.filter(
  (id) => /^[^%/ ]+$/.test(id) && !id.includes('\u0000') && id.length < 256,
);

describe('over SCIM', () => {
  const scim = new ScimClient(rival, rival.clients.scim.token);
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${rival.scim}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${rival.clients.scim.token}`,
        'content-type': 'application/scim+json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const patch = (operation: object) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [operation],
  });
  const deactivate = patch({ op: 'replace', path: 'active', value: false });
  const rename = patch({ op: 'replace', path: 'displayName', value: 'never' });

  test.each<[string, string, unknown]>([
    ['GET', 'Users', undefined],
    ['DELETE', 'Users', undefined],
    ['PUT', 'Users', { schemas: [userSchema], userName: 'never' }],
    ['PATCH', 'Users', deactivate],
    ['GET', 'Groups', undefined],
    ['DELETE', 'Groups', undefined],
    ['PUT', 'Groups', { schemas: [groupSchema], displayName: 'never' }],
    ['PATCH', 'Groups', rename],
    ['GET', 'Schemas', undefined],
    ['GET', 'ResourceTypes', undefined],
  ])('%s /%s/{id}', async (method, type, body) => {
    const { expected, others } = await sameForAll([unknown, ...inPaths, ...foreign], (id) =>
      call(method, `/${type}/${encodeURIComponent(id)}`, body),
    );
    expect(expected).toMatch(/^\[404,/);
    expect(others).toEqual([]);
  });

  test('in filters, members and managers', async () => {
    const ids = [unknown, ...malformed, ...foreign];
    const group = await scim.call('POST', '/Groups', { schemas: [groupSchema], displayName: unique('own') });
    for (const ask of [
      (id: string) => call('GET', `/Users?filter=${encodeURIComponent(`id eq ${JSON.stringify(id)}`)}`),
      (id: string) =>
        call('GET', `/Groups?filter=${encodeURIComponent(`members.value eq ${JSON.stringify(id)}`)}`),
      (id: string) =>
        call(
          'PATCH',
          `/Groups/${group.body.id}`,
          patch({ op: 'remove', path: `members[value eq ${JSON.stringify(id)}]` }),
        ),
    ]) {
      const { expected, others } = await sameForAll(ids, ask);
      expect(expected).toMatch(/^\[20[04],/);
      expect(others).toEqual([]);
    }
    const { expected, others } = await sameForAll(
      // A body with NUL in it is none (see docs/reference/scim.md), whatever it asks for.
      ids.filter((id) => id !== '' && !id.includes('\u0000')),
      (id) =>
        call(
          'PATCH',
          `/Groups/${group.body.id}`,
          patch({ op: 'add', path: 'members', value: [{ value: id }] }),
        ),
    );
    expect(expected).toContain('invalidValue');
    expect(others).toEqual([]);
  });
});

describe('at the authorization server', () => {
  const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`${rival.issuer}/${path}`, { method: 'POST', body: new URLSearchParams(fields), headers });
  // RFC 6749 appendix A.1 lets a client_id be any printable ASCII; what isn't is refused as a request.
  const printable = [...inAddresses.filter((id) => /^[\x21-\x7e]+$/.test(id)), ours.clients.web.client_id];
  const basic = (id: string) => ({ authorization: `Basic ${btoa(`${encodeURIComponent(id)}:secret`)}` });

  test.each<[string, Record<string, string>]>([
    ['token', { grant_type: 'client_credentials' }],
    [
      'token',
      {
        grant_type: 'authorization_code',
        code: 'x',
        redirect_uri: 'https://x.test',
        code_verifier: 'x'.repeat(43),
      },
    ],
    ['token', { grant_type: 'refresh_token', refresh_token: 'x' }],
    ['par', { response_type: 'code', redirect_uri: 'https://x.test' }],
    ['revoke', { token: 'x' }],
    ['introspect', { token: 'x' }],
    ['device_authorization', {}],
  ])('client_id at /%s', async (path, fields) => {
    for (const ask of [
      (id: string) => form(path, { ...fields, client_id: id, client_secret: 'secret' }),
      (id: string) => form(path, { ...fields, client_id: id }),
      (id: string) => form(path, fields, basic(id)),
    ]) {
      const { expected, others } = await sameForAll(['nobody', ...printable], ask);
      expect(expected).toMatch(/^\[40[01],/);
      expect(others).toEqual([]);
    }
  });

  test('codes, tokens and references that nothing has', async () => {
    const { web } = rival.clients;
    const redirect = web.redirect_uris[0] ?? '';
    const ids = ['A'.repeat(43), ...inAddresses];
    for (const ask of [
      (id: string) =>
        form('token', {
          grant_type: 'authorization_code',
          client_id: web.client_id,
          redirect_uri: redirect,
          code_verifier: 'x'.repeat(43),
          code: id,
        }),
      (id: string) =>
        form('token', { grant_type: 'refresh_token', client_id: web.client_id, refresh_token: id }),
      (id: string) => form('revoke', { client_id: web.client_id, token: id }),
      (id: string) =>
        form(
          'introspect',
          { token: id },
          {
            authorization: `Basic ${btoa(`${rival.clients.api.client_id}:${rival.clients.api.client_secret}`)}`,
          },
        ),
    ]) {
      const { others } = await sameForAll(ids, ask);
      expect(others).toEqual([]);
    }
  });

  test('registrations, and the page that asks people to sign in', async () => {
    for (const ask of [
      (id: string) =>
        fetch(`${rival.issuer}/register/${encodeURIComponent(id)}`, {
          headers: { authorization: 'Bearer x' },
        }),
      (id: string) =>
        fetch(`${rival.issuer}/authorize?client_id=${encodeURIComponent(id)}&response_type=code`, {
          redirect: 'manual',
        }),
      (id: string) =>
        fetch(`${rival.issuer}/ssf/streams?stream_id=${encodeURIComponent(id)}`, {
          headers: { authorization: `Bearer ${tokens.app}` },
        }),
    ]) {
      const { expected, others } = await sameForAll(['nobody', ...printable], ask);
      expect(expected).toMatch(/^\[4/);
      expect(others).toEqual([]);
    }
  });
});
