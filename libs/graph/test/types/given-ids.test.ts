import { expect, test } from '@jest/globals';
import { buildSchema, execute, parse } from 'graphql';
import { readGivenIds } from '../../src/types/given-ids.ts';

const schema = buildSchema(`
  type Query {
    one(id: ID!): String
    many(ids: [ID!]!): String
    within(input: Input!): String
    text(text: String): String
  }
  input Input { id: ID, name: String, parts: [Input!], none: Other }
  input Other { text: String }
`);
const untouched = schema.getQueryType()?.getFields().text;
readGivenIds(schema);

async function seen(field: string): Promise<unknown> {
  const { data, errors } = await execute({
    schema,
    document: parse(`{ seen: ${field} }`),
    rootValue: Object.fromEntries(
      ['one', 'many', 'within', 'text'].map((name) => [name, (args: unknown) => JSON.stringify(args)]),
    ),
  });
  expect(errors).toBeUndefined();
  return JSON.parse(String(data?.seen));
}

test.each(['', ' ', 'a b', '\u0000', 'ü', '\u{1f600}', 'x'.repeat(256), '\u007f'])(
  'A malformed id is looked up as an id that does not exist: %j.',
  async (id) => {
    const text = JSON.stringify(id);
    expect(await seen(`one(id: ${text})`)).toEqual({ id: '!' });
    expect(await seen(`many(ids: ["kept", ${text}])`)).toEqual({ ids: ['kept', '!'] });
    expect(
      await seen(
        `within(input: { id: ${text}, name: ${text}, parts: [{ id: ${text} }, { id: "kept", parts: [{ id: ${text} }] }] })`,
      ),
    ).toEqual({ input: { id: '!', name: id, parts: [{ id: '!' }, { id: 'kept', parts: [{ id: '!' }] }] } });
    expect(await seen(`text(text: ${text})`)).toEqual({ text: id });
  },
);

test.each([
  '01900000-0000-7000-8000-000000000000',
  'a.client~id_-',
  'urn:example:Schema',
  'demo',
  '42',
  'x'.repeat(255),
])('A well-formed id is kept: %s.', async (id) => {
  expect(await seen(`one(id: "${id}")`)).toEqual({ id });
  expect(await seen(`within(input: { id: "${id}", none: { text: "" } })`)).toEqual({
    input: { id, none: { text: '' } },
  });
  expect(await seen('within(input: { id: null })')).toEqual({ input: { id: null } });
});

test('Fields without an id argument are not changed.', () => {
  expect(untouched?.resolve).toBeUndefined();
});
