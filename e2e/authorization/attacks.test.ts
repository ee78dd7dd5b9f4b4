import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo } from '../support/demo.ts';
import { nobody } from './doors.ts';
import { subgraphs } from './model.ts';
import { type Answer, send } from './observe.ts';
import { type Actor, createWorld, type World } from './world.ts';

let world: World;
let person: Actor & { id: string };
beforeAll(async () => {
  world = await createWorld(runningDemo());
  person = who('user') as typeof person;
});

const who = (name: string): Actor => {
  const found = world.actors.find((actor) => actor.name === name);
  if (!found) throw new Error(`nobody is called ${name}`);
  return found;
};
const codes = (answer: Answer): unknown[] => (answer.errors ?? []).map((error) => error.extensions?.code);
const entities = (selection: string): string =>
  `query ($r: [_Any!]!) { _entities(representations: $r) { ${selection} } }`;
/** Query of every attribute of a user at each subgraph. */
const everything = {
  auth: '... on User { id sessions { id } grants { clientId } roles personalAccessTokens { id } }',
  directory: '... on User { id userName emails { value } groups { id } }',
  provisioning: '... on User { id provisioning { externalId } }',
} as const;
/** Internal details that no answer may contain. */
const inside =
  /127\.0\.0\.1|ECONN|SELECT |INSERT |node_modules|\bat .*\.[jt]s|stack|prisma|INTERNAL_SERVER_ERROR/i;

describe('representations made up by the caller', () => {
  const forgeries = (own: string, other: string): [string, Record<string, unknown>][] => [
    [
      'somebody else’s, with everything that could say whose it is',
      { id: other, ownerId: own, userId: own, sub: own },
    ],
    [
      'somebody else’s, with the answer in it',
      { id: other, userName: own, sessions: [{ id: own }], roles: ['TENANT_ADMIN'] },
    ],
    ['a list of ids, the own one first', { id: [own, other] }],
    ['a list of the other alone', { id: [other] }],
    ['an id that pretends to be a text', { id: { toString: own, valueOf: own } }],
    ['the other in capitals', { id: other.toUpperCase() }],
    ['the other with a blank', { id: `${other} ` }],
    ['the other in braces, as PostgreSQL reads it too', { id: `{${other}}` }],
    ['the other without hyphens', { id: other.replaceAll('-', '') }],
    ['a number', { id: 1 }],
    [
      'a prototype',
      JSON.parse(`{ "__proto__": { "id": "${own}" }, "id": "${other}" }`) as Record<string, unknown>,
    ],
    ['a constructor', { constructor: { prototype: { id: own } }, id: other }],
  ];

  test('Made-up representations return nothing of another user from any subgraph to a user without a role.', async () => {
    for (const name of subgraphs) {
      for (const [what, forged] of forgeries(person.id, world.ids.user)) {
        const answer = await send(world.urls[name], person, entities(everything[name]), {
          r: [{ __typename: 'User', ...forged }],
        });
        const [entity] = (answer.data?._entities ?? [null]) as (Record<string, unknown> | null)[];
        const notified = Object.values(entity ?? {}).filter(
          (value) => value !== null && JSON.stringify(value) !== '[]',
        );
        expect({ what, name, notified }).toEqual({ what, name, notified: [] });
        expect(JSON.stringify(answer)).not.toMatch(inside);
      }
    }
  });

  test('Made-up representations never cause a server error, with any scopes of the caller.', async () => {
    for (const name of subgraphs) {
      for (const [, forged] of forgeries(person.id, world.ids.user)) {
        const answer = await send(world.urls[name], who('app:*'), entities(everything[name]), {
          r: [{ __typename: 'User', ...forged }],
        });
        expect(JSON.stringify(answer)).not.toMatch(inside);
        expect(answer.status).toBeLessThan(500);
      }
    }
  });

  test.each(['Query', 'Mutation', '_Service', '__Schema', 'PageInfo', 'user', 'toString', '__proto__'])(
    'Made-up representations of type %s are rejected.',
    async (type) => {
      for (const name of subgraphs) {
        const answer = await send(world.urls[name], who('app:*'), entities('__typename'), {
          r: [{ __typename: type, id: world.ids.user }],
        });
        expect(codes(answer)).toEqual(['BAD_USER_INPUT']);
      }
    },
  );

  test('Representations of an existing user return the same to an unrelated caller as those of an unknown user.', async () => {
    const strangers = [person, who('app:'), { name: 'anonymous' }];
    for (const stranger of strangers) {
      for (const name of subgraphs) {
        const [one, none] = await Promise.all(
          [world.ids.user, nobody].map(async (id) => {
            const r = [{ __typename: 'User', id }];
            const answer = await send(world.urls[name], stranger, entities(everything[name]), { r });
            return JSON.stringify(answer).replaceAll(id, '<id>');
          }),
        );
        expect(one).toBe(none);
      }
    }
  });

  test('Made-up representations cannot be sent through the gateway.', async () => {
    for (const query of [entities('__typename'), '{ _service { sdl } }']) {
      const answer = await send(world.urls.gateway, who('app:*'), query, { r: [] });
      expect(codes(answer)).toContain('GRAPHQL_VALIDATION_FAILED');
    }
  });
});

describe('aliases', () => {
  const own = async (query: string): Promise<Answer> => send(world.urls.gateway, person, query);

  test('An alias does not make another field the key by which the gateway queries subgraphs.', async () => {
    const honest = await own('{ me { id sessions { id } roles } }');
    const me = honest.data?.me as { sessions: { id: string }[] };
    const mine = me.sessions.map((session) => session.id);
    for (const query of [
      '{ me { id: userName sessions { id } } }',
      '{ me { id: __typename sessions { id } } }',
      '{ me { __typename: id sessions { id } } }',
      '{ me { own: id id: displayName sessions { id } provisioning { externalId } } }',
      '{ id: me { me: id sessions { id: createdAt key: id } } }',
    ]) {
      const answer = await own(query);
      const text = JSON.stringify(answer);
      expect(text).not.toMatch(inside);
      for (const id of text.matchAll(/"(?:id|key)":"([0-9a-f-]{36})"/g)) {
        expect([person.id, ...mine]).toContain(id[1]);
      }
    }
  });

  test('Aliases and fragments hide a field neither from its rule nor from its error.', async () => {
    const hidden = `query ($id: ID!) {
      a: user(id: $id) { ...A }
      b: user(id: $id) { ... @include(if: true) { ... on User { ...A } } }
    }
    fragment A on User { x: sessions { y: id } ...B }
    fragment B on User { ... { z: roles } }`;
    const answer = await send(world.urls.gateway, who('app:users:read'), hidden, { id: world.ids.user });
    expect(answer.data).toEqual({ a: { x: null, z: null }, b: { x: null, z: null } });
    expect(new Set(codes(answer))).toEqual(new Set(['FORBIDDEN']));
    expect(answer.errors?.map((error) => error.path?.join('.')).sort()).toEqual(['a.x', 'a.z', 'b.x', 'b.z']);
  });

  test('A skipped field does not authorize the fields beside it.', async () => {
    for (const name of subgraphs) {
      const selection = everything[name].replace('{ id', '{ id __typename @skip(if: true)');
      const answer = await send(world.urls[name], person, entities(selection), {
        r: [{ __typename: 'User', id: world.ids.user }],
      });
      expect(JSON.stringify(answer.data)).not.toContain(world.ids.user);
    }
  });
});

describe('requests', () => {
  const call = (url: string, init: RequestInit) => fetch(`${url}/graphql`, init);
  const json = (actor: Actor, headers: Record<string, string> = {}) => ({
    'content-type': 'application/json',
    authorization: `Bearer ${actor.token}`,
    ...headers,
  });

  test('Requests in a batch are not executed.', async () => {
    const query = `mutation { revokeAllSessions(input: { userId: "${nobody}" }) { user { id } } }`;
    for (const url of Object.values(world.urls)) {
      const response = await call(url, {
        method: 'POST',
        headers: json(who('app:*')),
        body: JSON.stringify([{ query }, { query }]),
      });
      expect(response.status).toBe(400);
      expect(await response.text()).not.toMatch(/NOT_FOUND/);
    }
  });

  test('Requests by GET never change anything.', async () => {
    const query = encodeURIComponent(
      `mutation { createGroup(input: { displayName: "by GET" }) { group { id } } }`,
    );
    for (const url of Object.values(world.urls)) {
      const response = await fetch(`${url}/graphql?query=${query}`, { headers: json(who('app:*')) });
      expect([400, 404, 405]).toContain(response.status);
    }
    const answer = await send(
      world.urls.gateway,
      who('app:*'),
      '{ groups(filter: "displayName eq \\"by GET\\"") { totalCount } }',
    );
    expect(answer.data).toEqual({ groups: { totalCount: 0 } });
  });

  test('A request with internal headers gets the same response as one without them.', async () => {
    const headers = {
      'x-ostiary-possession': who('app:*').token ?? '',
      'x-tenant': 'rival',
      'x-user-id': world.ids.administrator,
      'x-forwarded-user': world.ids.administrator,
      'apollo-federation-include-trace': 'ftv1',
    };
    for (const url of Object.values(world.urls)) {
      const body = JSON.stringify({ query: '{ __typename me: __typename }' });
      const plain = await (await call(url, { method: 'POST', headers: json(person), body })).text();
      const dressed = await (
        await call(url, { method: 'POST', headers: json(person, headers), body })
      ).text();
      expect(dressed).toBe(plain);
      expect(dressed).not.toContain('ftv1');
    }
  });

  test('A request with a token of this tenant at the address of the other tenant is rejected.', async () => {
    for (const actor of [person, who('app:*'), who('tenantAdmin')]) {
      const response = await fetch(`${world.demo.origin}/t/rival/graphql`, {
        method: 'POST',
        headers: json(actor),
        body: JSON.stringify({ query: '{ me { id } }' }),
      });
      expect(response.status).toBe(401);
    }
  });

  test('A scope in variables or arguments has no effect, because scopes come from the token alone.', async () => {
    const query = 'query ($id: ID!, $scope: String) { user(id: $id) { id } }';
    const answer = await send(world.urls.gateway, person, query, { id: world.ids.user, scope: 'users:read' });
    expect(JSON.stringify(answer.data ?? null)).not.toContain(world.ids.user);
  });
});
