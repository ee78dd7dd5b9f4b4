import { describe, expect, test } from '@jest/globals';
import { parseValue } from 'graphql';
import { sharedScalars } from '../../src/types/scalars.ts';

const json = sharedScalars.JSON as NonNullable<(typeof sharedScalars)[string]>;
const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);

describe('JSON', () => {
  test.each([[null], [true], [0.5], ['text'], [[1, ['a']]], [{ 'urn:x:y': { a: null } }]])(
    'The JSON scalar accepts %j unchanged.',
    (value) => {
      expect(json.parseValue(value)).toEqual(value);
      expect(json.serialize(value)).toEqual(value);
    },
  );

  test('The JSON scalar reads literals with variables inside.', () => {
    const node = parseValue('{ a: [1, 2.5, "x", true, null], b: { c: $v } }');
    expect(json.parseLiteral(node, { v: { d: 1 } })).toEqual({
      a: [1, 2.5, 'x', true, null],
      b: { c: { d: 1 } },
    });
  });

  test('The JSON scalar omits names that reach prototypes.', () => {
    const hostile = JSON.parse(
      '{"__proto__": {"polluted": 1}, "constructor": {"prototype": 1}, "a": 1}',
    ) as object;
    expect(Object.keys(json.parseValue(hostile) as object)).toEqual(['a']);
    const literal = json.parseLiteral(parseValue('{ __proto__: { polluted: 1 }, a: 1 }'), {});
    expect(Object.keys(literal as object)).toEqual(['a']);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test('The JSON scalar rejects values nested too deep, values without a JSON form and enum names.', () => {
    expect(json.parseValue(nested(16))).toEqual(nested(16));
    expect(() => json.parseValue(nested(17))).toThrow(/nested/);
    const brackets = `${'['.repeat(17)}1${']'.repeat(17)}`;
    expect(() => json.parseLiteral(parseValue(brackets), {})).toThrow(/nested/);
    expect(() => json.parseValue(Number.NaN)).toThrow(/JSON/);
    expect(() => json.parseLiteral(parseValue('RED'), {})).toThrow(/JSON/);
  });
});
