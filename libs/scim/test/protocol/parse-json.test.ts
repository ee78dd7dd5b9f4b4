import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseScimJson, ScimError } from '../../src/index.ts';

const scimType = (type: string) => expect.objectContaining({ scimType: type }) as unknown as Error;

describe('JSON', () => {
  test('Valid JSON is parsed with the same result as by JSON.parse.', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value);
        let parsed: unknown;
        try {
          parsed = parseScimJson(text);
        } catch (error) {
          // Only text that cannot be stored is rejected.
          expect(text).toMatch(/\\u0000|\\ud[89a-f]/);
          expect(error).toBeInstanceOf(ScimError);
          return;
        }
        const unsafe = /"(__proto__|constructor|prototype)":/.test(text);
        if (!unsafe) expect(parsed).toEqual(JSON.parse(text));
      }),
    );
  });

  test.each([
    ['', 'nothing'],
    ['{', 'unfinished'],
    ['{"a":1,}', 'trailing comma'],
    ["{'a':1}", 'single quotes'],
    ['<a/>', 'XML'],
    ['NaN', 'no JSON literal'],
    ['{"a":1,"a":2}', 'duplicate key'],
    ['{"a":1,"\\u0061":2}', 'duplicate key behind an escape'],
    ['{"x":[{"a":{"b":1,"c":[1,2,{}],"b":2}}]}', 'duplicate key further in'],
    ['{"a":"\\u0000"}', 'NUL'],
    ['{"a\\u0000":1}', 'NUL in a key'],
    ['{"a":"\u0000"}', 'raw NUL'],
    ['{"a":"\\ud800"}', 'lone surrogate'],
    ['{"a":"\\udc00\\ud800"}', 'surrogates the wrong way round'],
    ['{"a":"\ud800"}', 'raw lone surrogate'],
    ['['.repeat(33) + ']'.repeat(33), 'deeper than 32'],
    ['{"a":'.repeat(1_000_000), 'depth bomb'],
    ['['.repeat(1_000_000), 'another'],
    ['{"\\x":1}', 'bad escape in a key'],
  ])('The text %.40j is rejected: %s.', (text) => {
    expect(() => parseScimJson(text)).toThrow(scimType('invalidSyntax'));
  });

  test('The bytes of a JSON body must be UTF-8.', () => {
    expect(parseScimJson(new TextEncoder().encode('{"a":"é"}'))).toEqual({ a: 'é' });
    expect(() => parseScimJson(Uint8Array.of(0x22, 0xff, 0x22))).toThrow(scimType('invalidSyntax'));
  });

  test('The same key in different objects is accepted, and so are structural characters in strings.', () => {
    const text = '{"a":[{"a":"{\\"a\\":1,"},{"a":"}]["}],"b":{"a":1}}';
    expect(parseScimJson(text)).toEqual(JSON.parse(text));
    expect(parseScimJson('["a","a",{"k":"k"}]')).toEqual(['a', 'a', { k: 'k' }]);
    expect(parseScimJson('{"a":"😀\\ud83d\\ude00"}')).toEqual({ a: '😀😀' });
    expect(parseScimJson('['.repeat(32) + ']'.repeat(32))).toBeInstanceOf(Array);
  });

  test('Names of prototype properties are omitted from parsed JSON.', () => {
    const parsed = parseScimJson(
      '{"__proto__":{"x":1},"a":{"constructor":{"prototype":{"x":1}},"b":1},"prototype":2}',
    );
    expect(JSON.stringify(parsed)).toBe('{"a":{"b":1}}');
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
  });
});
