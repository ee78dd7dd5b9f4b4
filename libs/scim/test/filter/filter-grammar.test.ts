import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { expectCpuBelow } from '../../../service/test/support/cpu-time.ts';
import { parseFilter, parsePath, printFilter, printPath, ScimError } from '../../src/index.ts';
import { userFilter, withoutOffsets } from '../support/arbitraries.ts';

/** Returns the error of parsing, as `scimType: detail`. */
function failure(parse: () => unknown): string {
  try {
    parse();
  } catch (error) {
    if (error instanceof ScimError) return `${error.scimType}: ${error.detail}`;
    throw error;
  }
  return 'no error';
}

describe('precedence and grouping', () => {
  test.each([
    // not > and > or
    ['a pr or b pr and c pr', 'a pr or b pr and c pr'],
    ['(a pr or b pr) and c pr', '(a pr or b pr) and c pr'],
    ['a pr and b pr or c pr and d pr', 'a pr and b pr or c pr and d pr'],
    ['not (a pr) and b pr', 'not (a pr) and b pr'],
    ['not (a pr and b pr)', 'not (a pr and b pr)'],
    ['((a pr))', 'a pr'],
    ['a pr and (b pr and c pr)', 'a pr and (b pr and c pr)'],
  ])('The filter %s keeps its precedence and grouping when it is printed.', (text, printed) => {
    expect(printFilter(parseFilter(text))).toBe(printed);
  });

  test('The operator "and" binds tighter than "or", in either order.', () => {
    const shape = (text: string) => withoutOffsets(parseFilter(text));
    expect(shape('a pr or b pr and c pr')).toEqual(shape('a pr or (b pr and c pr)'));
    expect(shape('a pr and b pr or c pr')).toEqual(shape('(a pr and b pr) or c pr'));
    expect(shape('not (a pr) or b pr')).toEqual(shape('(not (a pr)) or b pr'));
  });
});

describe('terms', () => {
  test.each([
    // The examples of RFC 7644 §3.4.2.2.
    'userName eq "bjensen"',
    'name.familyName co "O\'Malley"',
    'userName sw "J"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
    'title pr',
    'meta.lastModified gt "2011-05-13T04:42:34Z"',
    'title pr and userType eq "Employee"',
    'title pr or userType eq "Intern"',
    'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"',
    'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
    'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
    'userType eq "Employee" and (emails.type eq "work")'.replace(
      '(emails.type eq "work")',
      'emails.type eq "work"',
    ),
    'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
    'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
    // Other filters.
    'emails[not (type eq "work") or value sw "a" and primary eq true]',
    'emails[type eq "work"].value eq "a@b"',
    'emails[type eq "work"].value pr',
    'members[$ref eq "https://a"]',
    'a eq null',
    'a eq -1.5e-7',
    'a eq false',
    'a eq "\\"\\\\ \\n\\u00e9"'.replace('\\u00e9', 'é'),
  ])('The filter %s is printed as it was parsed.', (text) => {
    expect(printFilter(parseFilter(text))).toBe(text);
  });

  test('Operators and literals are printed in canonical form.', () => {
    expect(printFilter(parseFilter('A EQ "x" AND B Pr OR NOT(c Co "y")'))).toBe(
      'A eq "x" and B pr or not (c co "y")',
    );
    expect(printFilter(parseFilter('  a   eq\t1.0  '))).toBe('a eq 1');
    expect(printFilter(parseFilter('a eq "\\u0041\\/"'))).toBe('a eq "A/"');
    expect(printFilter(parseFilter('a eq -0'))).toBe('a eq 0');
    // Words are operators only where an operator is expected.
    expect(printFilter(parseFilter('eq eq "and" and or pr or and pr'))).toBe(
      'eq eq "and" and or pr or and pr',
    );
  });

  test('Offsets in a parsed filter count from the start of the text.', () => {
    const node = parseFilter('a pr and  b eq 1');
    expect(node).toMatchObject({ kind: 'and', offset: 0, operands: [{ offset: 0 }, { offset: 10 }] });
  });
});

describe('invalid filters', () => {
  test.each([
    ['', 'at offset 0'],
    ['   ', 'at offset 3'],
    ['a', 'Expected a space and an operator, not the end at offset 1'],
    ['a eq', 'Expected a space and a value at offset 4'],
    ['a eq ', 'at offset 5'],
    ['a eq b', 'Expected a string in double quotes, a number, true, false or null at offset 5'],
    ["a eq 'b'", 'at offset 5'],
    ['a eq True', 'at offset 5'],
    ['a like "b"', 'Expected one of the operators'],
    ['a eq "b', 'The string is not closed at offset 5'],
    ['a eq "b\\"', 'The string is not closed at offset 5'],
    ['a eq "\\x"', 'The string is not a JSON string at offset 5'],
    ['a eq "\n"', 'The string is not a JSON string at offset 5'],
    ['a eq 1e999', 'The number is too large at offset 5'],
    ['a eq 01', 'Expected " and ", " or " or the end at offset 6'],
    ['a eq 1 b', 'Expected " and ", " or " or the end at offset 7'],
    ['a eq "b"and c pr', 'at offset 8'],
    ['a pr and', 'at offset 5'],
    ['a pr and ', 'at offset 9'],
    ['and a pr', 'at offset 4'],
    ['not a pr', 'Expected "(" after "not"'],
    ['(a pr', 'Missing ")" for the group opened at offset 0'],
    ['a pr)', 'Unexpected ")" at offset 4'],
    ['a pr]', 'Unexpected "]" at offset 4'],
    ['emails[type eq "x"', 'Missing "]" for the group opened at offset 0'],
    ['emails[(type eq "x"]', 'Unexpected "]" at offset 19'],
    ['emails[]', 'at offset 7'],
    ['emails [type pr]', 'at offset 7'],
    ['emails[a[b pr]]', 'A value filter cannot hold another one at offset 8'],
    ['emails.value[a pr]', 'A value filter cannot follow a sub-attribute'],
    ['emails[a pr].', 'Expected the name of a sub-attribute at offset 13'],
    ['emails[a pr] eq "x"', 'at offset 13'],
    ['a.b.c pr', 'is not an attribute path at offset 0'],
    ['a..b pr', 'is not an attribute path at offset 0'],
    ['1a pr', 'is not an attribute path at offset 0'],
    ['ex:a pr', 'is not an attribute path at offset 0'],
    [':a pr', 'is not an attribute path at offset 0'],
    ['urn:a: pr', 'is not an attribute path at offset 0'],
    ['__proto__ pr', 'is not an attribute path at offset 0'],
    ['a pr; drop', 'at offset 4'],
    ['a pr\u0000', 'at offset 4'],
    ['a\u00a0pr', 'at offset 1'],
  ])('The text %j is rejected as a filter with the reason.', (text, detail) => {
    const failed = failure(() => parseFilter(text));
    expect(failed).toMatch(/^invalidFilter: /);
    expect(failed).toContain(detail);
  });

  test('A filter that is too long, too deep or too wide is rejected.', () => {
    expect(failure(() => parseFilter(`a eq "${'x'.repeat(10_000)}"`))).toContain(
      'Longer than 10000 characters',
    );
    expect(failure(() => parseFilter(`${'('.repeat(51)}a pr${')'.repeat(51)}`))).toContain(
      'Nested deeper than 50',
    );
    expect(failure(() => parseFilter(Array(501).fill('a pr').join(' or ')))).toContain('More than 500 terms');
    expect(failure(() => parseFilter(`${'('.repeat(50)}a pr${')'.repeat(50)}`))).toBe('no error');
    expect(failure(() => parseFilter(Array(499).fill('a pr').join(' or ')))).toBe('no error');
    expect(failure(() => parseFilter('(((a pr)))', { maxDepth: 2 }))).toContain('Nested deeper than 2');
    expect(failure(() => parseFilter('a pr', { maxLength: 3 }))).toContain('Longer than 3');
    expect(failure(() => parseFilter('a pr and b pr', { maxNodes: 2 }))).toContain('More than 2');
  });
});

test('Printing is the inverse of parsing for random filters.', () => {
  const property = fc.property(userFilter, (node) => {
    const text = printFilter(node);
    const parsed = parseFilter(text);
    expect(withoutOffsets(parsed)).toEqual(withoutOffsets(node));
    expect(printFilter(parsed)).toBe(text);
  });
  fc.assert(property, { numRuns: 2000 });
});

test('Random text gives a filter or an invalidFilter error, and nothing else.', () => {
  const token = fc.constantFrom(
    'a',
    'eq',
    'pr',
    'and',
    'or',
    'not',
    '(',
    ')',
    '[',
    ']',
    '"x"',
    '1',
    '.',
    ':',
    ' ',
    ' ',
    '\\',
    '"',
    '$ref',
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join('')),
  );
  const property = fc.property(texts, (text) => {
    expect(failure(() => printFilter(parseFilter(text)))).toMatch(/^(no error|invalidFilter: )/);
    expect(failure(() => printPath(parsePath(text)))).toMatch(/^(no error|invalidPath: )/);
  });
  fc.assert(property, { numRuns: 3000 });
});

test('Hostile filters take linear time and do not exhaust the stack.', async () => {
  const size = 200_000;
  const limits = { maxLength: 10 * size, maxDepth: 1e9, maxNodes: 1e9 };
  const attacks = [
    '('.repeat(size),
    'not ('.repeat(size),
    `a[${'('.repeat(size)}`,
    Array(size).fill('a pr').join(' and '),
    `a eq "${'\\\\'.repeat(size)}`,
    `a eq "${'\\"'.repeat(size)}`,
    `a eq ${'1'.repeat(size)}`,
    `a eq 1${'0'.repeat(size)}e`,
    `${'a.'.repeat(size)} pr`,
    `${'urn:'.repeat(size)} pr`,
    ' '.repeat(size),
    `a pr${' '.repeat(size)}x`,
  ];
  for (const attack of attacks) {
    await expectCpuBelow(3_000, () => failure(() => parseFilter(attack, limits)));
  }
});

describe('paths', () => {
  test.each([
    'displayName',
    'name.familyName',
    'addresses[type eq "work"]',
    'members[value eq "2819c223-7f76-453a-919d-413861904646"]',
    'members[value eq "2819c223-7f76-453a-919d-413861904646"].displayName',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value',
    'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
    'emails[type eq "work" and not (value ew "x")].value',
    'members.$ref',
  ])('The path %s is printed as it was parsed.', (text) => {
    expect(printPath(parsePath(text))).toBe(text);
  });

  test.each([
    '',
    ' ',
    'a b',
    'a[',
    'a]',
    'a[b]',
    'a[b pr',
    'a[b pr].',
    'a[b pr]x',
    'a.b[c pr]',
    'a[b[c pr]]',
    'emails[0]',
    '/name',
    'a.b.c',
  ])('The text %j is rejected as a path.', (text) => {
    expect(failure(() => parsePath(text))).toMatch(/^invalidPath: .* at offset \d+\.$/);
  });
});
