import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { expectCpuBelow } from '../../../service/test/support/cpu-time.ts';
import { servePets } from '../support/pets.ts';
import type { RunningSubgraph } from '../support/subgraph.ts';

let graph: RunningSubgraph;
let token: string;
beforeAll(async () => {
  const issuer = new Issuer();
  token = issuer.token({ subject: 'job', scopes: ['all'] });
  graph = await servePets(issuer);
});
afterAll(() => graph.close());

describe('a document', () => {
  const codeOf = async (query: string) => (await graph.ask(query, { token })).body.errors?.[0]?.message;

  test('A document is limited in depth.', async () => {
    const nest = (levels: number): string => (levels === 0 ? 'id' : `owner { pet { ${nest(levels - 1)} } }`);
    expect(await codeOf(`{ pets { ${nest(7)} } }`)).toBeUndefined();
    expect(await codeOf(`{ pets { ${nest(9)} } }`)).toMatch(/too many levels/);
  });

  test('A document is limited in aliases, including those of __typename and through fragments.', async () => {
    const many = Array.from({ length: 201 }, (_, index) => `a${index}: __typename`).join(' ');
    expect(await codeOf(`{ ${many} }`)).toMatch(/too many aliases/);
    const spread = Array.from({ length: 30 }, () => '...F').join(' ');
    const ten = Array.from({ length: 10 }, (_, index) => `a${index}: tenant`).join(' ');
    expect(await codeOf(`{ ${spread} } fragment F on Query { ${ten} }`)).toMatch(/too many/);
  });

  test('A document cannot give another field the name __typename.', async () => {
    for (const query of [
      '{ __typename: tenant }',
      '{ pets { ...F } } fragment F on Pet { ... { __typename: id } }',
    ])
      expect(await codeOf(query)).toBe('No other field can have the response name "__typename".');
    expect(await codeOf('{ __typename: __typename pets { a: __typename } }')).toBeUndefined();
  });

  test('A document is limited in directives and tokens.', async () => {
    expect(await codeOf(`{ tenant ${'@include(if: true) '.repeat(60)} }`)).toBeDefined();
    expect(await codeOf(`{ ${'tenant '.repeat(25_000)} }`)).toMatch(/more tha[nt] 20000 tokens/);
  });

  describe('repetitions are counted before validation compares them', () => {
    const again = /too often/;
    const small = Array.from({ length: 95 }, (_, index) => `...F${index}`).join(' ');
    const parts = Array.from(
      { length: 95 },
      (_, index) => `fragment F${index} on Pet { ${'id '.repeat(20)}}`,
    );
    test.each([
      // Validation of this document would take over a second.
      ['one field thousands of times', `{ pets { ${'id '.repeat(12_000)}} }`],
      ['one field with fields', `{ ${'pets { id } '.repeat(600)}}`],
      ['deeper down', `{ pets { ${'owner { pet { id } } '.repeat(500)}} }`],
      ['under an alias', `{ pets { ${'a: id '.repeat(1_500)}} }`],
      ['in inline fragments', `{ pets { ${'... on Pet { id } '.repeat(1_000)}} }`],
      ['in fragments', `{ pets { ${small} } } ${parts.join(' ')}`],
      ['in a fragment that nothing spreads', `{ tenant } fragment F on Pet { ${'id '.repeat(2_900)}}`],
      [
        'in several operations',
        `query A { ${'tenant '.repeat(1_400)}} query B { ${'tenant '.repeat(1_400)}}`,
      ],
    ])('A document that repeats selections is rejected before it is validated: %s.', async (_what, query) => {
      await expectCpuBelow(300, async (attempt) => {
        expect(await codeOf(`${query} # ${attempt}`)).toMatch(again);
      });
    });

    test('A large operation that selects each field once is not rejected as a repetition.', async () => {
      const each = Array.from({ length: 40 }, (_, index) => `...F${index}`).join(' ');
      const fragments = Array.from(
        { length: 40 },
        (_, index) => `fragment F${index} on Pet { __typename id owner { __typename } }`,
      );
      expect(await codeOf(`{ pets { ${each} } } ${fragments.join(' ')}`)).toBeUndefined();
    });

    test('Only the first validation errors are reported, because each is looked up in the whole schema.', async () => {
      const { errors } = (
        await graph.ask(`{ pets { ${Array.from({ length: 900 }, (_, at) => `nam${at}`).join(' ')} } }`, {
          token,
        })
      ).body;
      expect(errors?.length).toBeLessThanOrEqual(21);
    });
  });

  test('Fragments that spread each other twice are measured quickly.', async () => {
    const chain = Array.from(
      { length: 60 },
      (_, index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`,
    ).join('\n');
    await expectCpuBelow(2_000, async (attempt) => {
      expect(await codeOf(`{ ...F0 } ${chain} fragment F60 on Query { tenant } # ${attempt}`)).toBeDefined();
      expect(await codeOf(`{ ...F0 } ${chain} fragment F60 on Query { ...F0 } # ${attempt}`)).toBeDefined();
    });
  });

  describe('the cost of an operation', () => {
    /** Selects `count` values. */
    const idsOften = (count: number): string =>
      Array.from({ length: count }, (_, index) => `a${index}: id`).join(' ');
    const nested = (levels: number, first: string): string =>
      levels === 0 ? 'id' : `page(first: ${first}) { edges { node { ${nested(levels - 1, first)} } } }`;
    const refused = async (query: string, variables = {}) => {
      const { status, body } = await graph.ask(query, { token, variables });
      const tooMuch = body.errors?.[0]?.message.startsWith('The operation requests too much') ?? false;
      expect(status).toBe(tooMuch ? 400 : 200);
      expect(body.errors?.[0]?.extensions.code).toBe(tooMuch ? 'GRAPHQL_VALIDATION_FAILED' : undefined);
      return tooMuch;
    };

    test('Nested pages multiply, whether their size is a literal, a variable, its default or the server default.', async () => {
      expect(await refused(`{ ${nested(2, '100')} }`)).toBe(false);
      expect(await refused(`{ ${nested(3, '100')} }`)).toBe(true);
      const variable = `query ($n: Int) { ${nested(3, '$n')} }`;
      expect(await refused(variable, { n: 10 })).toBe(false);
      expect(await refused(variable, { n: 100 })).toBe(true);
      expect(await refused(`query ($n: Int = 100) { ${nested(3, '$n')} }`)).toBe(true);
      expect(await refused(`{ ${nested(4, 'null')} }`)).toBe(true);
    });

    test('The size of a list is taken from its argument or the schema.', async () => {
      const litters = (argument: string) =>
        `{ ${nested(1, '100').replace(' id ', ` litter${argument} { litter${argument} { id } } `)} }`;
      expect(await refused(litters('(first: 20)'))).toBe(false);
      expect(await refused(litters('(first: 100)'))).toBe(true);
      expect(await refused(litters(''))).toBe(true);
    });

    test('A page from the end costs the same as one from the start.', async () => {
      const backward = (last: string) => nested(3, 'null').replaceAll('first: null', last);
      expect(await refused(`{ ${backward('last: 10')} }`)).toBe(false);
      expect(await refused(`{ ${backward('last: 100')} }`)).toBe(true);
      expect(await refused(`query ($n: Int = 100) { ${backward('first: 1, last: $n')} }`)).toBe(true);
    });

    test('Fragments and aliases are charged each time they are used.', async () => {
      const onConnection = 'fragment C on PetConnection { edges { node { id } } }';
      const fragments = `fragment P on Pet { page(first: 100) { ...C } } ${onConnection}`;
      expect(await refused(`{ page(first: 100) { edges { node { ...P } } } } ${fragments}`)).toBe(false);
      const aliases = Array.from({ length: 8 }, (_, index) => `a${index}: page(first: 100) { ...C }`).join(
        ' ',
      );
      expect(await refused(`{ page(first: 100) { edges { node { ${aliases} } } } } ${onConnection}`)).toBe(
        true,
      );
    });

    test('A selection on references is charged for each reference.', async () => {
      const query = `query ($r: [_Any!]!) { _entities(representations: $r) { ... on Keeper { ${idsOften(20).replaceAll('id', 'name')} } } }`;
      const representations = (count: number) =>
        Array.from({ length: count }, () => ({ __typename: 'Keeper', id: '1' }));
      expect(await refused(query, { r: representations(10) })).toBe(false);
      expect(await refused(query, { r: representations(15_000) })).toBe(true);
    });

    test('A list is charged for as many entries as the ids or the number given in the request.', async () => {
      const members = 'page(first: 100) { edges { node { id name: id } } }';
      const several = (ids: string) => `{ several(ids: ${ids}) { ${members} } }`;
      const ids = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
      expect(await refused(several(JSON.stringify(ids(10))))).toBe(false);
      expect(await refused(several(JSON.stringify(ids(700))))).toBe(true);
      expect(
        await refused(`query ($one: ID!) { several(ids: [${'$one '.repeat(700)}]) { ${members} } }`, {
          one: 'x',
        }),
      ).toBe(true);
      for (const given of ['"x"', '[]']) expect(await refused(several(given))).toBe(false);
      const variable = `query ($ids: [ID!]!) { several(ids: $ids) { ${members} } }`;
      expect(await refused(variable, { ids: ids(10) })).toBe(false);
      expect(await refused(variable, { ids: ids(700) })).toBe(true);

      const growth = (days: string) =>
        `query${days.includes('$') ? ' ($days: Int)' : ''} { growth${days} { page(first: 100) { edges { node { ${idsOften(19)} } } } } }`;
      for (const days of ['', '(days: null)', '(days: $days)', '(days: 30)', '(days: 1)']) {
        expect(await refused(growth(days))).toBe(false);
      }
      expect(await refused(growth('(days: 400)'))).toBe(true);
      expect(await refused(growth('(days: $days)'), { days: 400 })).toBe(true);
      // An invalid number does not make the selection cheaper.
      expect(await refused(`{ ${nested(2, '100')} growth(days: -1000000) { id } }`)).toBe(false);
      expect(await refused(`{ ${nested(3, '100')} growth(days: -1000000) { ${members} } }`)).toBe(true);
    });

    test('A list without such arguments is charged for as many entries as its schema declares.', async () => {
      const bounded = (size: number) =>
        `{ bounded { page(first: ${size}) { edges { node { ${idsOften(40)} } } } } }`;
      expect(await refused(bounded(60))).toBe(false);
      expect(await refused(bounded(100))).toBe(true);
    });

    test('The introspection field __typename is not charged.', async () => {
      expect(await refused(`{ __typename ${nested(2, '100')} }`)).toBe(false);
    });
  });
});
