import { beforeAll, describe, expect, test } from '@jest/globals';
import { type DocumentNode, Kind, parse, type TypeNode } from 'graphql';
import { composeApi } from '../../src/schema/graph/compose.ts';

/** Mutations whose input has no idempotency key, with the reason. */
const withoutKey: Record<string, string> = {};

/** Updates whose input has no version, with the reason. */
const withoutVersion: Record<string, string> = {};

/** Input fields by mutation. */
const inputs = new Map<string, readonly string[]>();

beforeAll(async () => {
  const document: DocumentNode = parse(await composeApi());
  const fields = new Map<string, readonly string[]>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION) {
      fields.set(definition.name.value, definition.fields?.map(({ name }) => name.value) ?? []);
    }
  }
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION || definition.name.value !== 'Mutation') continue;
    for (const { name, arguments: args } of definition.fields ?? []) {
      inputs.set(name.value, args?.flatMap(({ type }) => fields.get(named(type)) ?? []) ?? []);
    }
  }
});

const named = (type: TypeNode): string =>
  type.kind === Kind.NAMED_TYPE ? type.name.value : named(type.type);

describe('inputs of mutations', () => {
  test('The input of a mutation has an idempotency key, so that the mutation can be repeated.', () => {
    expect(inputs.size).toBeGreaterThan(60);
    const lacking = [...inputs]
      .filter(([, fields]) => !fields.includes('idempotencyKey'))
      .map(([name]) => name);
    expect(lacking).toEqual(Object.keys(withoutKey));
  });

  test('The input of an update has the version of the updated object, so that concurrent changes are detected.', () => {
    const updates = [...inputs].filter(([name]) => name.startsWith('update'));
    expect(updates.length).toBeGreaterThan(7);
    const lacking = updates.filter(([, fields]) => !fields.includes('version')).map(([name]) => name);
    expect(lacking).toEqual(Object.keys(withoutVersion));
  });
});
