import { describe, expect, test } from '@jest/globals';
import { Environment } from '@marcbachmann/cel-js';
import fc from 'fast-check';
import {
  checkClaimMappings,
  InvalidClaimMappings,
} from '../../../src/clients/claims/domain/claim-mapping.ts';
import { compile, type Expression, maxCost } from '../../../src/clients/claims/domain/expression.ts';
import { evaluateMappings } from '../../../src/clients/claims/domain/mapped-claims.ts';
import { RejectedExpression } from '../../../src/clients/claims/domain/rejected-expression.ts';
import { userValue } from '../../../src/clients/claims/domain/user-attributes.ts';
import { stepsOf } from './measured-evaluation.ts';

const prototype = Object.getPrototypeOf(new Environment().parse('1').ast) as object;
const extension = 'user.attributes["urn:example:hr:2.0:User:rows"]';
const texts = 'user.attributes["urn:example:hr:2.0:User:texts"]';
const row = Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`m${n}`, 'x']));
const document = {
  'urn:example:hr:2.0:User': {
    rows: [row, [['a', 'b'], ['c']], ['x'], row, row],
    texts: Array.from({ length: 500 }, () => 'aaaa'),
  },
  emails: Array.from({ length: 100 }, () => ({ value: 'ΐ'.repeat(1_024) })),
  userName: 'a'.repeat(1_024),
};
/** Values of the maximum size, without the letter for which the searches of the tests look. */
const values = {
  user: userValue(document, {
    user: new Set(['emails', 'userName']),
    extensions: new Set(['urn:example:hr:2.0:User:rows', 'urn:example:hr:2.0:User:texts']),
  }),
  groups: Array.from({ length: 1_000 }, () => 'a'.repeat(1_024)),
  groupIds: Array.from({ length: 1_000 }, (_, n) => `id${n}`),
  roles: Array.from({ length: 50 }, (_, n) => `role${n}`),
  client: { id: 'app', name: 'The app' },
  api: { identifier: 'https://orders.example/v1' },
};

const check = (expression: string) => checkClaimMappings([{ name: 'x', expression, required: false }], 'api');

/** Returns the expression; undefined if it is rejected. */
function compiled(text: string): Expression | undefined {
  try {
    return compile(text, 'api');
  } catch (error) {
    if (error instanceof RejectedExpression) return undefined;
    throw error;
  }
}

describe('texts and searches', () => {
  const grown = (times: number) => `["${'a'.repeat(800)}"]${'.map(a,a+a+a+a)'.repeat(times)}`;

  test('A search of a long text in a text that grows in steps is rejected.', () => {
    const search = `.exists(s,s.contains("${'a'.repeat(20)}b"+s.substring(1600000)))`;
    expect(() => check(`${grown(6)}${search}`)).toThrow('a text that can have more than 16384 characters');
    expect(() => check(`${grown(2)}.map(s, s.indexOf(s))`)).toThrow('is too expensive');
  });

  test.each([
    ['a contained text', 'groups.filter(g, g.contains(user.userName))'],
    ['the first position', 'groups.map(g, g.indexOf(user.userName))'],
    ['the last position', 'groups.map(g, g.lastIndexOf(user.userName))'],
    ['a separator', 'groups.map(g, g.split(user.userName).size())'],
    ['each in each', 'user.emails.exists(e, user.emails.exists(f, e.contains(f)))'],
    ['the joined groups', 'groups.exists(g, groupIds.join(g).contains(g))'],
  ])('A search that multiplies long texts is rejected: %s.', (_what, expression) => {
    expect(() => check(expression)).toThrow(/is too expensive|can have more than 16384 characters/);
  });

  test.each([
    'groups.filter(g, g.contains("admin"))',
    'groups.filter(g, g.startsWith("app-")).map(g, g.substring(4)).join(",")',
    'user.email.split("@")[1]',
    'user.emails.map(e, e.substring(e.indexOf("@") + 1))',
    'user.userName.lowerAscii().contains(user.department.lowerAscii())',
    'groups.filter(g, g.indexOf(":") > 0).map(g, g.lowerAscii())',
  ])('A usual expression is accepted: %s.', (expression) => {
    expect(check(expression)).toHaveLength(1);
  });

  test('A text that changes its case can become longer than its bound for one character each.', () => {
    expect('ΐ'.toUpperCase()).toHaveLength(3);
    const expression = compile('user.emails.map(e, e.upperAscii())', 'api');
    expect(stepsOf(expression, prototype, values)).toBeLessThanOrEqual(expression.analysis.cost);
  });
});

describe('attributes of the tenant', () => {
  const loops = (depth: number): string =>
    depth === 0 ? '1' : `e${depth}.map(e${depth - 1}, ${loops(depth - 1)})`;

  test('Loops over the members of an attribute in each other are rejected.', () => {
    expect(() => check(`[${extension}[0]].map(e5, ${loops(5)})`)).toThrow('is too expensive');
    expect(() => check(`[${extension}[0]].map(e2, ${loops(2)})`)).toThrow('is too expensive');
    expect(check(`[${extension}[0]].map(e1, ${loops(1)})`)).toHaveLength(1);
  });

  test.each([
    'map(e, e["m1"])',
    'map(e, e.m1).join(",")',
    'filter(e, e.m1 == "x").map(e, {"m": e.m1, "n": e.m2})',
    'filter(v, v.startsWith("x"))',
    'exists(v, v == "x")',
    'map(v, v.lowerAscii())',
  ])('A usual loop over the values of an attribute is accepted: %s.', (loop) => {
    expect(check(`${extension}.${loop}`)).toHaveLength(1);
  });

  test.each([
    'map(e, e.map(m, m).map(n, e.map(o, o)))',
    'filter(e, e.all(m, e.exists(n, m == n)))',
    'map(e, e).filter(e, e.exists(m, e.exists(n, true)))',
  ])('A loop over the values that loops over their members repeatedly is rejected: %s.', (loop) => {
    expect(() => check(`${extension}.${loop}`)).toThrow('is too expensive');
  });

  test('Loops over attributes in each other are rejected without an estimate for each combination.', () => {
    const attribute = 'user.attributes["a:b:c"]';
    const nested = Array.from({ length: 20 }, (_, n) => `${attribute}.map(e${n}, `);
    expect(() => check(`${nested.join('')}1${')'.repeat(20)}`)).toThrow(InvalidClaimMappings);
  });

  test('The members of an element count in the cost of a loop over them.', () => {
    const expression = compile(`[${extension}[0]].map(e1, ${loops(1)})`, 'api');
    const steps = stepsOf(expression, prototype, values);
    expect(steps).toBeGreaterThan(50);
    expect(steps).toBeLessThanOrEqual(expression.analysis.cost);
  });
});

describe('stored expressions', () => {
  test('An expression beyond the limit of the cost is not compiled.', () => {
    expect(() => compile('groups.map(g, groups)', 'api')).toThrow(RejectedExpression);
  });

  test('Mappings beyond the limit of all costs give no claims.', () => {
    const evaluated: string[] = [];
    const expression = compile('1', 'api');
    const { claims, problems } = evaluateMappings(
      ['a', 'b', 'c', 'd', 'e'].map((name) => ({ name, expression: '1', required: false })),
      ({ name }) => ({
        analysis: { ...expression.analysis, cost: maxCost.all / 3 },
        evaluate: () => evaluated.push(name),
      }),
      { tooManyGroups: false, variables: {} },
    );
    expect(Object.keys(claims)).toEqual(['a', 'b', 'c']);
    expect(evaluated).toEqual(['a', 'b', 'c']);
    expect(problems).toEqual([
      { name: 'd', required: false, failure: 'failed' },
      { name: 'e', required: false, failure: 'failed' },
    ]);
  });
});

type Kind = 'text' | 'list' | 'lists' | 'bool' | 'int';
interface Variable {
  name: string;
  kind: Kind;
}

/** Deferred, because an expression has only one of the choices at each level. */
type Build = () => fc.Arbitrary<string>;
type Macro = 'map' | 'filter' | 'exists' | 'all' | 'exists_one';

/** Makers of expressions whose parts have one level less. */
function makersAt(depth: number, scope: readonly Variable[]) {
  const put =
    (parts: TemplateStringsArray, ...each: Kind[]): Build =>
    () =>
      fc
        .tuple(...each.map((one) => expressionOf(one, depth - 1, scope)))
        .map((texts) => parts.reduce((all, part, at) => `${all}${texts[at - 1] ?? ''}${part}`));
  const loop =
    (macro: Macro, over: 'list' | 'lists', body: Kind): Build =>
    () => {
      const inner: Variable = { name: `v${depth}`, kind: over === 'list' ? 'text' : 'list' };
      return fc
        .tuple(expressionOf(over, depth - 1, scope), expressionOf(body, depth - 1, [...scope, inner]))
        .map(([range, step]) => `${range}.${macro}(${inner.name}, ${step})`);
    };
  return { put, loop };
}

/** Expressions of a kind, with loops of which each has its own variable. */
function expressionOf(kind: Kind, depth: number, scope: readonly Variable[]): fc.Arbitrary<string> {
  const known = scope.filter((one) => one.kind === kind).map(({ name }) => fc.constant(name));
  if (depth === 0) return fc.oneof(...known, ...known, leaves[kind]);
  const { put, loop } = makersAt(depth, scope);
  const quantifiers = (['exists', 'all', 'exists_one'] as const).map((macro) => loop(macro, 'list', 'bool'));
  const choices: Record<Kind, Build[]> = {
    text: [
      put`(${'text'} + ${'text'})`,
      put`${'text'}.upperAscii()`,
      put`${'text'}.lowerAscii().trim()`,
      put`${'text'}.substring(0)`,
      put`${'list'}.join(${'text'})`,
      put`string(${'int'})`,
      put`(${'bool'} ? ${'text'} : ${'text'})`,
      put`string(${'list'}[0])`,
    ],
    list: [
      put`[${'text'}, ${'text'}]`,
      put`(${'list'} + ${'list'})`,
      put`${'text'}.split(${'text'})`,
      put`${'lists'}[0]`,
      loop('map', 'list', 'text'),
      loop('map', 'lists', 'text'),
      loop('filter', 'list', 'bool'),
    ],
    lists: [put`[${'list'}, ${'list'}]`, loop('map', 'list', 'list'), loop('map', 'lists', 'list')],
    bool: [
      put`${'text'}.contains(${'text'})`,
      put`${'text'}.startsWith(${'text'})`,
      put`(${'text'} == ${'text'})`,
      put`(${'list'} == ${'list'})`,
      put`(${'text'} in ${'list'})`,
      put`(${'bool'} || ${'bool'})`,
      put`!${'bool'}`,
      ...quantifiers,
    ],
    int: [put`${'text'}.indexOf(${'text'})`, put`${'text'}.size()`, put`${'list'}.size()`],
  };
  const built = fc.constantFrom(...choices[kind]).chain((build) => build());
  return fc.oneof(...known, leaves[kind], { arbitrary: built, weight: 6 });
}

const leaves: Record<Kind, fc.Arbitrary<string>> = {
  text: fc.oneof(
    fc.nat(60).map((length) => `"${'a'.repeat(length)}"`),
    fc.nat(60).map((length) => `"${'a'.repeat(length)}b"`),
    fc.constant('user.userName'),
  ),
  list: fc.constantFrom('groups', 'groupIds', 'roles', 'user.emails', '["a", "b"]', texts),
  lists: fc.constantFrom('[groups]', '[roles, roles]', '[["a"]]', extension, `${extension}[0]`),
  bool: fc.constantFrom('true', 'false'),
  int: fc.constantFrom('0', '3'),
};

test('The estimated cost of a generated expression is at least the number of steps of its evaluation.', () => {
  let accepted = 0;
  const kinds: Kind[] = ['text', 'list', 'lists', 'bool', 'int'];
  const expressions = fc
    .constantFrom(...kinds)
    .chain((kind) => fc.nat(4).chain((depth) => expressionOf(kind, depth, [])));
  fc.assert(
    fc.property(expressions, (text) => {
      const expression = compiled(text);
      if (!expression) return;
      accepted += 1;
      expect(stepsOf(expression, prototype, values)).toBeLessThanOrEqual(expression.analysis.cost);
    }),
    { numRuns: 1_500 },
  );
  expect(accepted).toBeGreaterThan(300);
});
