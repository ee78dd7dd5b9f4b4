import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { parse } from 'graphql';
import { topics } from '../../src/subscriptions/domain/topics.ts';
import { SubscriptionRules } from '../../src/subscriptions/graph/rules.ts';

const supergraph = readFileSync(new URL('../../supergraph.graphql', import.meta.url), 'utf8');

test('The gateway can apply the rule of every field of every event in the supergraph.', () => {
  const types = new Map(
    parse(supergraph).definitions.flatMap((node) =>
      node.kind === 'ObjectTypeDefinition' ? [[node.name.value, node]] : [],
    ),
  );
  const subscriptions = types.get('Subscription')?.fields ?? [];
  expect(subscriptions.map(({ name }) => name.value).sort()).toEqual(Object.keys(topics).sort());
  for (const { name, type } of subscriptions) {
    const topic = topics[name.value];
    const event = type.kind === 'NamedType' ? types.get(type.name.value) : undefined;
    const known = [...Object.keys(topic?.fields ?? {}), ...Object.keys(topic?.entities ?? {})];
    expect(event?.fields?.map((field) => field.name.value).sort()).toEqual(known.sort());
    const queries = types.get('Query')?.fields?.map((field) => field.name.value);
    for (const { query, own } of Object.values(topic?.entities ?? {})) {
      expect(queries).toEqual(expect.arrayContaining([query, ...(own ? [own] : [])]));
    }
  }
  expect(() => new SubscriptionRules(supergraph)).not.toThrow();
});

test.each([
  ['no rule', 'type Subscription { a: E } type E @scopes(inherit: true) { id: ID }'],
  [
    'a rule that says nothing about events',
    'type Subscription { a: E @scopes(owner: "id") } type E @scopes(inherit: true) { id: ID }',
  ],
  [
    'a field of the event with a rule of its own',
    'type Subscription { a: E @scopes(any: ["x"]) } type E @scopes(inherit: true) { id: ID @scopes(any: ["y"]) }',
  ],
  [
    'a rule for the platform’s own tokens',
    'type Subscription { a: E @scopes(any: ["x"], platform: true) } type E @scopes(inherit: true) { id: ID }',
  ],
  ['an event without a rule', 'type Subscription { a: E @scopes(any: ["x"]) } type E { id: ID }'],
])('A schema is rejected whose subscription has %s.', (_, sdl) => {
  expect(() => new SubscriptionRules(sdl)).toThrow();
});
