import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { federation, type RunningSubgraph, serveSubgraph } from '../support/subgraph.ts';

const typeDefs = `${federation}
type Query @scopes(any: ["all"]) { person: Person }
type Mutation @scopes(any: ["all"]) { greet: Person @confers(nothing: true) }
type Person @scopes(inherit: true) { name: String visits: [Visit!] must: [Visit!]! }
type Visit @scopes(inherit: true) { id: ID! person: Person }
`;

/** Number of visits per object; the estimate is five. */
const often = 30;
let asked = 0;
const visits = async () => {
  asked += 1;
  return Array.from({ length: often }, (_, id) => ({ id }));
};

let issuer: Issuer;
let graph: RunningSubgraph;
let token: string;
beforeAll(async () => {
  issuer = new Issuer();
  token = issuer.token({ subject: 'job', scopes: ['all'] });
  const person = () => ({ name: 'Kim' });
  graph = await serveSubgraph(issuer, {
    typeDefs,
    resolvers: {
      Query: { person },
      Mutation: { greet: person },
      Person: { visits, must: visits },
      Visit: { person },
    },
    loaders: () => ({}),
  });
});
afterAll(() => graph.close());

const nest = (levels: number, field = 'visits'): string =>
  levels === 1 ? `${field} { id }` : `${field} { person { ${nest(levels - 1, field)} } }`;
const ask = async (query: string) => (await graph.ask(query, { token })).body;

test('Nested lists that are longer than estimated are bounded in the response.', async () => {
  const whole = await ask(`{ person { ${nest(3)} } }`);
  expect(whole.errors).toBeUndefined();
  expect(JSON.stringify(whole).match(/"id"/g)).toHaveLength(often ** 3);

  // 30^6 would be 729 million.
  for (const field of ['visits', 'must']) {
    asked = 0;
    const answer = await ask(`{ person { name ${nest(6, field)} } }`);
    expect(answer).toEqual({
      data: null,
      errors: [
        {
          message: expect.stringMatching(/^The response is too large/),
          extensions: { code: 'BAD_USER_INPUT' },
        },
      ],
    });
    expect(asked).toBeLessThan(100_000);
  }
});

test('Fields of an entry are counted, and fragments as often as they are spread.', async () => {
  const fields = 'a: id b: id c: id d: id e: id f: id g: id h: id';
  const many = nest(3).replace('{ id }', `{ ${fields} }`);
  expect((await ask(`{ person { ${many} } }`)).errors?.[0]?.message).toMatch(/The response is too large/);
  const spread = nest(3).replace('{ id }', '{ ...V person { ...P } ... on Visit { ...V } }');
  const fragments = 'fragment V on Visit { a: id b: id c: id d: id } fragment P on Person { e: name }';
  expect((await ask(`{ person { ${spread} } } ${fragments}`)).errors?.[0]?.message).toMatch(
    /The response is too large/,
  );
});

test('Concurrent and subsequent requests each have their own count.', async () => {
  const [small, large] = await Promise.all([
    ask(`{ person { ${nest(3)} } }`),
    ask(`{ person { ${nest(6)} } }`),
  ]);
  expect(small?.errors).toBeUndefined();
  expect(large?.errors).toHaveLength(1);
  expect((await ask(`{ person { ${nest(2)} } }`)).errors).toBeUndefined();
});

test('The answer to a completed mutation is returned up to the bound.', async () => {
  const { data, errors } = await ask(`mutation { greet { name ${nest(6)} } }`);
  const { greet } = data as { greet: { name: string; visits: object[] } };
  expect([greet.name, greet.visits.length]).toEqual(['Kim', often]);
  expect(errors).toEqual([expect.objectContaining({ extensions: { code: 'BAD_USER_INPUT' } })]);
});
