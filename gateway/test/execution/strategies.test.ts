import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type GraphQLSchema, parse, validate } from 'graphql';
import type { Execution } from '../../src/execution/graph/execution.ts';
import { DanglingReferences } from '../../src/subgraphs/graph/dangling-references.ts';
import type { SubgraphRequest } from '../../src/subgraphs/graph/subgraph-source.ts';
import { composed } from '../support/composed.ts';
import { bothWays, executionOver } from '../support/execution.ts';
import { Answers, type Fault, faults, Operations, Random } from '../support/generated-operations.ts';

const federation =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@external", "@requires", "@shareable"])';

const subgraphs = {
  things: `${federation}
    type Query { things(first: Int): [Thing!] thing(id: ID!): Thing found: [Found] node: Node lucky: Thing! }
    interface Node { id: ID! }
    union Found = Thing | Place
    enum Colour { RED BLUE }
    scalar Anything
    type Thing implements Node @key(fields: "id") {
      id: ID! name: String! colour: Colour size: Int weight: Float on: Boolean any: Anything parts: [[Part!]] owner: Person place: Place!
    }
    type Part { id: ID label: String! }
    type Place implements Node @key(fields: "id") { id: ID! title: String }
    type Person @key(fields: "id") { id: ID! nick: String }`,
  people: `${federation}
    type Query { people: [Person!]! first: Person }
    type Person @key(fields: "id") { id: ID! email: String! friends: [Person!] things: [Thing] }
    type Thing @key(fields: "id") { id: ID! price: Float tags: [String!] name: String! @external badge: String @requires(fields: "name") }
    type Place @key(fields: "id") { id: ID! visits: Int! }`,
};

const supergraphSdl = composed(subgraphs);

let execution: Execution;
let schema: GraphQLSchema;
let answers: Answers;
const asked: string[] = [];
/** Responses of subgraphs that the planner recorded. */
const noted: string[] = [];

beforeAll(async () => {
  execution = await executionOver(supergraphSdl, async (name, request: SubgraphRequest) => {
    asked.push(JSON.stringify([name, request.query, request.variables, request.operationName]));
    return answers.to(name, request);
  });
  schema = execution.schema();
  const { note } = DanglingReferences.prototype;
  jest.spyOn(DanglingReferences.prototype, 'note').mockImplementation(function (
    this: DanglingReferences,
    operation,
    place,
    response,
  ) {
    noted.push(JSON.stringify([place, response.data, response.errors]));
    note.call(this, operation, place, response);
  });
});
afterAll(async () => {
  jest.restoreAllMocks();
  await execution.stop();
});

/** Executes an operation with both strategies, and records the requests to subgraphs. */
async function compared(query: string, variables: object) {
  const observed = async (execute: () => Promise<unknown>) => {
    asked.length = 0;
    noted.length = 0;
    // Serialized as for a client. The order of keys may differ where the planner repeats the fields of a fragment.
    const serialized: unknown = await execute().then(
      (answer) => JSON.parse(JSON.stringify(answer)),
      (error: unknown) => String(error),
    );
    return { result: serialized, asked: [...asked].sort(), noted: [...noted].sort() };
  };
  const { planned, known, isFast } = await bothWays(execution, { query, variables }, observed);
  return { planned: isFast ? { ...planned, noted: [] } : planned, known, isFast };
}

describe('a cached plan has the same result as the planner', () => {
  test.each<Fault>(faults)(
    'A cached plan has the same result as the planner when subgraphs answer %s.',
    async (fault) => {
      const random = new Random(faults.indexOf(fault) + 1);
      const operations = new Operations(schema, random);
      answers = new Answers(schema, fault);
      let fast = 0;
      let count = 0;
      while (count < 40) {
        const { query, variables } = operations.next();
        if (validate(schema, parse(query)).length > 0) continue;
        count += 1;
        answers.seed = count;
        const { planned, known, isFast } = await compared(query, variables);
        expect({ query, variables, ...known }).toEqual({ query, variables, ...planned });
        if (isFast) fast += 1;
      }
      // Ensures that results were compared.
      expect(fast).toBeGreaterThan(fault === 'properly' ? 10 : 0);
      expect(fast).toBeLessThan(count);
    },
  );

  test('A cached plan has the same result when an operation reads fields of two services for each list entry.', async () => {
    answers = new Answers(schema, 'properly');
    const { planned, known, isFast } = await compared(
      '{ things { id name owner { nick email friends { email } } place { title visits } } }',
      {},
    );
    expect(known).toEqual(planned);
    expect(isFast).toBe(true);
    expect(known.asked.length).toBeGreaterThan(2);
  });

  test.each([
    ['a mistake in a variable', 'query($first: Int!) { things(first: $first) { id } }', { first: 'many' }],
    ['a missing variable', 'query($first: Int!) { things(first: $first) { id } }', {}],
    ['a directive', 'query($yes: Boolean!) { things { id name @include(if: $yes) } }', { yes: false }],
    ['introspection', '{ things { id } __schema { queryType { name } } }', {}],
    ['a key every object has', '{ things { constructor: name } }', {}],
    ['a key that would be the prototype', '{ things { __proto__: name } }', {}],
    ['a requirement', '{ things { badge } }', {}],
    ['the type of the outermost object', '{ __typename t: __typename things { __typename } }', {}],
    ['a part that no subgraph answers', '{ found { ... on Thing { price } ... on Place { visits } } }', {}],
  ])(
    'An operation that has %s has the same result with a cached plan as with the planner.',
    async (_what, query, variables) => {
      answers = new Answers(schema, 'properly');
      const { planned, known } = await compared(query, variables);
      expect(known).toEqual(planned);
    },
  );
});
