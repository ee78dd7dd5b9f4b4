import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { getIntrospectionQuery } from 'graphql';
import { expectCpuBelow } from '../../../service/test/support/cpu-time.ts';
import { deepestNesting, isNestedTooDeeply, parseDocument } from '../../src/limits/nesting.ts';
import { servePets } from '../support/pets.ts';
import type { RunningSubgraph } from '../support/subgraph.ts';

const nested = (open: string, close: string, levels: number): string =>
  open.repeat(levels) + close.repeat(levels);

/** Every construct of the grammar with which a document can be nested. */
const constructs: readonly [string, (levels: number) => string][] = [
  ['selections', (levels) => `{a${nested('{a', '}', levels - 1)}}`],
  ['inline fragments', (levels) => `{${'...{'.repeat(levels - 1)}a${'}'.repeat(levels)}`],
  ['lists', (levels) => `{a(b:${nested('[', ']', levels - 2)})}`],
  ['objects', (levels) => `{a(b:${'{c:'.repeat(levels - 2)}1${'}'.repeat(levels - 2)})}`],
  ['types of variables', (levels) => `query($a:${'['.repeat(levels - 1)}Int${']'.repeat(levels - 1)}){b}`],
  ['values of directives', (levels) => `{a@b(c:${nested('[', ']', levels - 2)})}`],
  ['default values', (levels) => `query($a:Int=${nested('[', ']', levels - 1)}){b}`],
  ['type definitions', (levels) => `type A{b:${'['.repeat(levels - 1)}Int${']'.repeat(levels - 1)}}`],
];

describe('the nesting of a document', () => {
  test.each(constructs)('The nesting of %s is bounded before the document is parsed.', (_name, document) => {
    expect(isNestedTooDeeply(document(deepestNesting))).toBe(false);
    expect(() => parseDocument(document(deepestNesting), { tokens: 5_000 })).not.toThrow();
    for (const levels of [deepestNesting + 1, 6_000]) {
      expect(() => parseDocument(document(levels), { tokens: 50_000 })).toThrow(/nested too deeply/);
    }
  });

  test('Brackets in strings and comments do not count as nesting.', () => {
    const many = '{'.repeat(500);
    for (const text of [
      `{a(b:"${many}")}`,
      `{a(b:"\\"${many}")}`,
      `{a(b:"""${many}"${many}\\"""${many}\n${many}""")}`,
      `{a #${many}\n}`,
    ]) {
      expect(isNestedTooDeeply(text)).toBe(false);
      expect(() => parseDocument(text, { tokens: 5_000 })).not.toThrow();
    }
  });

  test('Brackets after strings and comments count as nesting.', () => {
    const many = `${'{a'.repeat(500)}`;
    for (const start of [
      '{a(b:"\\\\")',
      '{a(b:"""\\"""""")',
      '{a(b:"")',
      '{a(b:"""""")',
      '{a#"\n',
      '{a#"""\r',
      '{a(b:"#")',
    ]) {
      expect(isNestedTooDeeply(start + many)).toBe(true);
    }
  });

  test('The introspection query with every option is not nested too deeply.', () => {
    expect(
      isNestedTooDeeply(
        getIntrospectionQuery({
          descriptions: true,
          specifiedByUrl: true,
          directiveIsRepeatable: true,
          schemaDescription: true,
          inputValueDeprecation: true,
          oneOf: true,
        }),
      ),
    ).toBe(false);
  });

  test('The nesting of a document of a megabyte is measured in time that grows with its length.', async () => {
    const texts = ['"', '"""', '#', '{}', '\\"""', '"\\', '...{a}'].map((part) =>
      part.repeat(Math.floor(1_048_576 / part.length)),
    );
    for (const text of [...texts, `{a(b:"""${'x'.repeat(1_048_576)}`, `{a(b:"${'x'.repeat(1_048_576)}`]) {
      await expectCpuBelow(500, () => expect(isNestedTooDeeply(text)).toBe(false));
    }
  });
});

describe('a subgraph', () => {
  let graph: RunningSubgraph;
  let token: string;
  beforeAll(async () => {
    const issuer = new Issuer();
    token = issuer.token({ subject: 'job', scopes: ['all'] });
    graph = await servePets(issuer);
  });
  afterAll(() => graph.close());

  test.each(constructs)(
    'A subgraph answers a document with 6,000 nested %s as nested too deeply.',
    async (_name, document) => {
      const answer = await graph.ask(document(6_000), { token });
      expect(answer.status).toBe(400);
      expect(answer.body.errors?.map(({ message, extensions }) => [message, extensions.code])).toEqual([
        [expect.stringMatching(/nested too deeply/), 'GRAPHQL_PARSE_FAILED'],
      ]);
    },
  );

  test('A subgraph answers a chain of 2,000 fragments without exhausting its stack.', async () => {
    const chain = Array.from(
      { length: 2_000 },
      (_, index) => `fragment F${index} on Query{...F${index + 1}}`,
    );
    const answer = await graph.ask(`{...F0} ${chain.join(' ')} fragment F2000 on Query{tenant}`, { token });
    expect(JSON.stringify(answer.body)).not.toMatch(/call stack|INTERNAL/);
  });
});
