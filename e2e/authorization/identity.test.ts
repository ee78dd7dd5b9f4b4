import { beforeAll, describe, expect, test } from '@jest/globals';
import { runningDemo } from '../support/demo.ts';
import { documentFor } from './asking.ts';
import { accessPathsFor, given, models } from './doors.ts';
import { send } from './observe.ts';
import { type Actor, createWorld, type World } from './world.ts';

/**
 * Types with an `id` that `node(id:)` does not return, with the reason why a cache keyed by id is still correct.
 * Objects that describe another object have its id under another name.
 */
const withoutNode: Readonly<Record<string, string>> = {
  UserChange: 'an event, with an id of its own',
  GroupChange: 'an event, with an id of its own',
  SessionRevocation: 'an event, with an id of its own',
  ProvisioningActivity: 'an event, with an id of its own',
  SignInNotice: 'an event, with an id of its own',
  Passkey: 'a part of a person, with an id of its own',
  IssuerSubject: 'a part of a trusted issuer, with an id of its own',
  ServiceAccountKey: 'a part of a service account, with an id of its own',
  ConnectorToken: 'a part of a connector, with an id of its own',
};

/** Payloads with the id of an object that the mutation deleted or revoked. */
const ended = /^(?:Delete|Discard|End|Remove|Revoke|Unbind)\w*Payload$/;

const { objects, abstract } = models.gateway;
const nodeTypes = [...new Set(abstract.get('Node')?.possible ?? [])].sort();

test('Every type with an id is a Node or is listed here with the reason why it is not.', () => {
  const others = [...objects.values()]
    .filter(({ name, fields }) => fields.has('id') && !nodeTypes.includes(name) && !ended.test(name))
    .map(({ name }) => name);
  expect(others.sort()).toEqual(Object.keys(withoutNode).sort());
});

test('The fields node and nodes take ids and nothing else.', () => {
  for (const name of ['node', 'nodes']) {
    const field = objects.get('Query')?.fields.get(name);
    expect(field?.arguments.map((argument) => argument.name)).toEqual([name === 'node' ? 'id' : 'ids']);
  }
});

describe('in a tenant that has one of everything', () => {
  let world: World;
  let types: ReadonlyMap<string, ReadonlySet<string>>;

  beforeAll(async () => {
    world = await createWorld(runningDemo());
    types = await typesById(world, ['app:*', 'tenantAdmin', 'user']);
  });

  test('No id belongs to two types.', () => {
    expect([...types].filter(([, of]) => of.size > 1).map(([id, of]) => [id, ...of])).toEqual([]);
  });

  test('One object of each type exists, and each is found by its id alone with its own type.', async () => {
    const everything = actorOf(world, 'app:*');
    const seen = new Set([...types.values()].flatMap((of) => [...of]));
    expect(nodeTypes.filter((type) => !seen.has(type))).toEqual([]);
    const nodes = [...types].filter(([, of]) => [...of].some((type) => nodeTypes.includes(type)));
    for (let at = 0; at < nodes.length; at += 100) {
      const some = nodes.slice(at, at + 100);
      const ids = some.map(([id]) => id);
      const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
      const { data, errors } = await send(world.urls.gateway, everything, query, { ids });
      expect(errors).toBeUndefined();
      expect(data?.nodes).toEqual(some.map(([id, of]) => ({ __typename: [...of][0], id })));
    }
  });

  test('The service that keeps an object answers for it: each type is read through node(id:) with all its own fields.', async () => {
    const everything = actorOf(world, 'app:*');
    const read: string[] = [];
    for (const type of nodeTypes) {
      const [id] = [...types].find(([, of]) => of.has(type)) ?? [];
      const fields = leavesOf(type);
      // More fields than the id, which the directory resolves itself.
      expect([type, fields.filter((name) => name !== 'id').length > 0]).toEqual([type, true]);
      const query = `query ($id: ID!) { node(id: $id) { __typename id ... on ${type} { ${fields.join(' ')} } } }`;
      const { data, errors } = await send(world.urls.gateway, everything, query, { id });
      expect([type, errors]).toEqual([type, undefined]);
      const { __typename: typename, ...values } = (data?.node ?? {}) as Record<string, unknown>;
      expect([typename, values.id]).toEqual([type, id]);
      const own = Object.entries(values).filter(([name, value]) => name !== 'id' && value !== null);
      if (own.length > 0) read.push(type);
    }
    expect(read).toEqual(nodeTypes);
  });

  test('The administrator of another tenant reads none of these objects by id.', async () => {
    const ids = [...types].flatMap(([id, of]) => (of.has('Tenant') ? [] : [id])).slice(0, 100);
    const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename } }';
    const { data, errors } = await send(world.urls.gateway, world.rivalAdmin, query, { ids });
    expect([errors, data?.nodes]).toEqual([undefined, ids.map(() => null)]);
  });
});

/** Fields of a type that are scalars without arguments. */
const leavesOf = (type: string): string[] =>
  [...(objects.get(type)?.fields.entries() ?? [])].flatMap(([name, field]) =>
    objects.has(field.type) || abstract.has(field.type) || field.arguments.length > 0 ? [] : [name],
  );

function actorOf(world: World, name: string): Actor {
  const actor = world.actors.find((each) => each.name === name);
  if (!actor) throw new Error(`nobody is called ${name}`);
  return actor;
}

/** Returns the type names by id of all objects that these actors read at the gateway. */
async function typesById(world: World, names: readonly string[]): Promise<Map<string, Set<string>>> {
  const found = new Map<string, Set<string>>();
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { __typename: type, id } = value as { __typename?: unknown; id?: unknown };
    if (typeof type === 'string' && typeof id === 'string') {
      found.set(id, (found.get(id) ?? new Set()).add(type));
    }
    // Entries of a list.
    for (const each of Object.values(value)) collect(each);
  };
  for (const name of names) {
    const actor = actorOf(world, name);
    for (const door of accessPathsFor(world, actor)) {
      if (door.url !== world.urls.gateway) continue;
      const { data } = await send(door.url, actor, documentFor(door, given).query);
      collect(data);
    }
  }
  return found;
}
