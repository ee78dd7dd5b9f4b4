import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type DocumentNode,
  type GraphQLSchema,
  type InlineFragmentNode,
  isAbstractType,
  isObjectType,
  parse,
  validate,
  visit,
} from 'graphql';
import { expectCpuBelow } from '../../../libs/service/test/support/cpu-time.ts';
import type { Execution } from '../../src/execution/graph/execution.ts';
import { ResponseNames } from '../../src/execution/graph/response-names.ts';
import { composed } from '../support/composed.ts';
import { bothWays, executionOver } from '../support/execution.ts';
import { Operations, Random } from '../support/generated-operations.ts';
import { answerOf, executedWhole, world, worldTypeDefs } from '../support/world-subgraphs.ts';

const supergraphSdl = composed(worldTypeDefs);

let execution: Execution;
let schema: GraphQLSchema;

beforeAll(async () => {
  execution = await executionOver(supergraphSdl, async (name, request) => answerOf(name, request));
  schema = execution.schema();
});
afterEach(() => {
  world.fails = false;
});
afterAll(() => execution.stop());

interface Answer {
  data?: unknown;
  errors?: { message: string; path?: (string | number)[] }[];
}

/** The order of errors is not significant: services run in parallel. */
const comparable = ({ data, errors }: Answer, placeOf = (step: string | number): unknown => step) => ({
  data,
  errors: (errors ?? []).map(({ message, path }) => JSON.stringify([path?.map(placeOf), message])).sort(),
});

/** Where lists hold nulls or objects of several types, the planner counts only the entries that it requested. */
const inSomeEntry = (step: string | number): string => (typeof step === 'number' ? '#' : step);

/** Executes an operation with both strategies. */
const comparedWays = (
  query: string,
  variables: object,
  placeOf?: typeof inSomeEntry,
  operationName?: string,
) =>
  bothWays(execution, { query, variables, operationName }, async (execute) =>
    comparable(JSON.parse(JSON.stringify(await execute())) as Answer, placeOf),
  );

async function compared(query: string, variables: object = {}) {
  const { planned, known, isFast } = await comparedWays(query, variables, inSomeEntry);
  const whole = comparable(await executedWhole(schema, query, variables), inSomeEntry);
  expect({ query, ...planned }).toEqual({ query, ...whole });
  expect({ query, ...known }).toEqual({ query, ...whole });
  return { ...whole, isFast };
}

/**
 * Reports whether a document narrows objects of a known type through an interface (`things { ... on Node { ... on Thing
 * { name } } }`): the post-processing of the planner omits such fields, under any name.
 */
function hidesTypes(document: DocumentNode): boolean {
  let hides = false;
  let within = 0;
  const conditionOf = (node: InlineFragmentNode) => schema.getType(node.typeCondition?.name.value ?? '');
  visit(document, {
    InlineFragment: {
      enter(node) {
        if (within > 0 && isObjectType(conditionOf(node))) hides = true;
        if (isAbstractType(conditionOf(node))) within += 1;
      },
      leave(node) {
        if (isAbstractType(conditionOf(node))) within -= 1;
      },
    },
  });
  return hides;
}

const needed = ['id', 'sku', 'zip', 'country', 'code', 'name', 'price', 'nick'];

describe('the graph returns the results of a single schema for all response names', () => {
  test.each([
    ['of a key', '{ things { id: name price } }'],
    ['of a key, in a fragment', '{ things { ...of price } } fragment of on Thing { id: title sku: id }'],
    [
      'of a key, of an interface',
      '{ node(id: "x") { ... on Thing { id: sku price } ... on Place { id: zip visits } } }',
    ],
    [
      'of a key, of a union',
      '{ found { ... on Thing { id: sku price } ... on Place { zip: id country { code: name } visits } ... on Part { sku: title } } }',
    ],
    ['of what an interface promises', '{ things { nodes { id: __typename ... on Thing { price } } } }'],
    ['of a key that has parts', '{ people { home { country { code: name } zip: id title visits } } }'],
    ['of what a field requires', '{ things { name: title badge } }'],
    ['of what a field requires of another service', '{ shelf { price: sku price2 sku: stock } }'],
    ['of what a field provides', '{ first { nick: email id: nick } }'],
    ['of the outermost fields', '{ id: things { sku: id } name: people { id: email things { id: price } } }'],
    ['with the type', '{ things { id: __typename name: __typename price } }'],
    [
      'that every object has',
      '{ constructor: things { toString: name __proto__: price hasOwnProperty: id } }',
    ],
    ['that another field has', '{ things { as_id: name id: title as_id_: price } }'],
    [
      'in a change',
      'mutation { id: rename(id: "Thing 1") { id: name badge price } touch(id: "Thing 2") { sku: id ... on Thing { id: title price } } }',
    ],
    ['where values have names too', '{ things { id: name sku: any price } }'],
    [
      'under a condition',
      '{ things { id: name @include(if: true) sku: title @skip(if: true) price stock } }',
    ],
    ['of the schema', '{ things { id: name } __schema { id: queryType { name: kind } } }'],
  ])('The result equals that of a single schema when a field has a name %s.', async (_what, query) => {
    expect(validate(schema, parse(query))).toEqual([]);
    const { data } = await compared(query);
    expect(data).toBeTruthy();
  });

  test('The result equals that of a single schema when fields fail, with errors at the response paths.', async () => {
    world.fails = true;
    let failures = 0;
    const fields = [
      'label',
      'price',
      'stock',
      'other { id: label price }',
      'parts { id: label of { sku: label } }',
    ];
    for (const [index, field] of [...fields, ...fields, ...fields].entries()) {
      const query = `{ id: thing(id: "${index}") { id: ${field} sku: ${field} badge } }`;
      const { planned, known } = await comparedWays(query, {});
      const whole = await executedWhole(schema, query, {});
      expect({ query, planned, known }).toEqual({
        query,
        planned: comparable(whole),
        known: comparable(whole),
      });
      failures += whole.errors?.length ?? 0;
    }
    expect(failures).toBeGreaterThan(3);
  });

  test('The result equals that of a single schema when a document has several operations.', async () => {
    const query =
      'query A { things { id: name price } } query B { things { id: owner { name: email id: __typename } } }';
    for (const operationName of ['A', 'B']) {
      const { definitions } = parse(query);
      const alone = definitions.find((node) => 'name' in node && node.name?.value === operationName);
      const text = query.slice(alone?.loc?.start, alone?.loc?.end);
      const { planned, known } = await comparedWays(query, {}, undefined, operationName);
      const whole = comparable(await executedWhole(schema, text, {}));
      expect({ planned, known }).toEqual({ planned: whole, known: whole });
    }
  });

  test.each([
    ['that planners know', false, needed],
    ['that planners know, while fields fail', true, needed],
    ['of all kinds', false, [...needed, 'a', 'as_id', 'constructor', '__proto__', 'price__alias_0', 'title']],
  ])(
    'The result equals that of a single schema when clients choose names %s.',
    async (_what, fails, names) => {
      world.fails = fails;
      const random = new Random(fails ? 2 : names.length);
      const operations = new Operations(schema, random, { percent: 45, names });
      let fast = 0;
      let renamed = 0;
      let done = 0;
      const responseNames = new ResponseNames(supergraphSdl);
      while (done < 150) {
        const { query, variables } = operations.next();
        const document = parse(query);
        if (validate(schema, document).length > 0 || hidesTypes(document)) continue;
        done += 1;
        const { isFast } = await compared(query, variables);
        if (isFast) fast += 1;
        if (responseNames.of(document)) renamed += 1;
      }
      // Ensures that results were compared.
      expect(renamed).toBeGreaterThan(50);
      expect(fast).toBeGreaterThan(10);
    },
  );
});

describe('response names without conflicts', () => {
  const names = new ResponseNames(supergraphSdl);

  test.each([
    '{ things { id name price __typename } }',
    '{ things { a: id b: name kind: __typename title: label } }',
    'query ($id: ID!) { thing(id: $id) { ...of } } fragment of on Thing { id owner { id nick } }',
  ])('A document without conflicting names is left unchanged: %s.', (query) => {
    expect(names.of(parse(query))).toBeUndefined();
  });

  test('Response names are analysed once per document.', () => {
    const document = parse('{ things { id: name } }');
    expect(names.of(document)).toBe(names.of(document));
    const plain = parse('{ things { id } }');
    expect(names.of(plain)).toBeUndefined();
    const { definitions } = plain;
    Object.defineProperty(plain, 'definitions', {
      get: () => {
        throw new Error('looked at again');
      },
    });
    expect(names.of(plain)).toBeUndefined();
    expect(definitions).toHaveLength(1);
  });

  test('Response names are analysed in linear time in a document with nested fragments.', async () => {
    const fragments = Array.from(
      { length: 40 },
      (_, index) =>
        `fragment f${index} on Thing { a: other { ...f${index + 1} } b: other { ...f${index + 1} } }`,
    );
    const query = `{ things { id: name ...f0 } } ${fragments.join(' ')} fragment f40 on Thing { id: name }`;
    const data = { things: [{ as_id: 'x', a: { b: { b: { as_id: null } } } }] };
    await expectCpuBelow(200, () => {
      const renamed = names.of(parse(query));
      expect(renamed?.result({ data }, undefined)).toEqual({
        data: { things: [{ id: 'x', a: { b: { b: { id: null } } } }] },
      });
    });
  });
});
