import { expect, test } from '@jest/globals';
import { registeredStatements, statement, statementsBySchema } from '../../src/index.ts';
import { declareIn } from '../../src/statements/by-schema.ts';

const parcels = statementsBySchema(['parcels', 'shelves.height'], (schema) => ({
  find: statement({
    name: `${schema}.parcels.find`,
    reason: 'set',
    text: `SELECT id FROM ${schema}.parcels`,
    columns: { id: 'uuid' },
  }),
}));

const named = (name: string) => registeredStatements().filter((statement) => statement.name === name);

test('Statements on tables of several services are declared once for each schema that requests them.', () => {
  expect(parcels('depot')).toBe(parcels('depot'));
  expect(parcels('depot').find.text).toBe('SELECT id FROM depot.parcels');
  expect(parcels('store').find.text).toBe('SELECT id FROM store.parcels');
  expect(named('depot.parcels.find')).toEqual([parcels('depot').find]);
});

test('Statements are declared for a schema with the needed tables, and not for another.', () => {
  declareIn('bare', new Set(['parcels', 'shelves', 'shelves.width']));
  expect(named('bare.parcels.find')).toEqual([]);
  declareIn('full', new Set(['parcels', 'shelves', 'shelves.height']));
  expect(named('full.parcels.find')).toHaveLength(1);
});

test('A text that is not a plain identifier is rejected as a schema, and is not inserted into any statement.', () => {
  for (const name of ['', 'a b', 'a;b', 'a"b', 'A', '1a', "a'b", 'a.b']) {
    expect(() => parcels(name)).toThrow('cannot be the name of a schema');
  }
});
