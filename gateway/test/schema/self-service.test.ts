import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { selfScopes } from '@ostiary/access';
import {
  type ConstDirectiveNode,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  valueFromASTUntyped,
} from 'graphql';

const supergraph = parse(readFileSync(new URL('../../supergraph.graphql', import.meta.url), 'utf8'));

const mutations =
  supergraph.definitions.find(
    (node): node is ObjectTypeDefinitionNode =>
      node.kind === Kind.OBJECT_TYPE_DEFINITION && node.name.value === 'Mutation',
  )?.fields ?? [];

const ruleOf = (directives: readonly ConstDirectiveNode[] = []): Record<string, unknown> =>
  Object.fromEntries(
    directives
      .filter(({ name }) => name.value === 'scopes')
      .flatMap(({ arguments: values }) => values ?? [])
      .map(({ name, value }) => [name.value, valueFromASTUntyped(value)]),
  );

test('The token of a user changes nothing without a scope that permits it.', () => {
  expect(mutations.length).toBeGreaterThan(50);
  for (const { name, directives } of mutations) {
    const {
      user,
      owner,
      any = [],
      self = [],
    } = ruleOf(directives) as {
      user?: boolean;
      owner?: string;
      any?: string[];
      self?: string[];
    };
    expect([name.value, user ?? false, owner]).toEqual([name.value, false, undefined]);
    expect([name.value, any.length + self.length > 0]).toEqual([name.value, true]);
    expect([name.value, self.filter((scope) => !Object.hasOwn(selfScopes, scope))]).toEqual([name.value, []]);
  }
});

test('Each self-service scope permits exactly the mutations that this test lists.', () => {
  const opened = mutations.flatMap(({ name, directives }) =>
    ((ruleOf(directives).self as string[] | undefined) ?? []).map((scope) => `${scope} ${name.value}`),
  );
  // The consent page must describe a new scope: its texts are in services/auth/src/platform/pages/http/words.
  expect(opened.sort()).toEqual([
    'self:factors removeAuthenticatorApp',
    'self:factors removePasskey',
    'self:profile updateMe',
    'self:sessions endDelegation',
    'self:sessions revokeAllSessions',
    'self:sessions revokeGrant',
    'self:sessions revokeSession',
    'self:tokens createPersonalAccessToken',
    'self:tokens revokePersonalAccessToken',
  ]);
});
