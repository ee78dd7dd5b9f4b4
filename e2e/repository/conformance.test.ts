import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const docs = fileURLToPath(new URL('../../docs/reference', import.meta.url));
const rows = readFileSync(join(docs, 'scim-conformance.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));

/** Returns all strings of the file that may be names of tests, as in the source. */
function namesIn(file: string): Set<string> {
  const source = readFileSync(file, 'utf8');
  const texts = source.matchAll(/(['"`])((?:\\.|(?!\1)[^\\\n])+)\1\s*,\s*(?:async\b|\(|\{|function\b)/g);
  return new Set([...texts].map(([, , text = '']) => text.replace(/\\(['"`])/g, '$1')));
}

/** `[name](address)`, with brackets in the name escaped. */
const links = (cell: string) =>
  [...cell.matchAll(/\[((?:\\.|[^\]\\])+)\]\(([^)]+\.test\.ts)\)/g)].map(([, name = '', address = '']) => ({
    name: name.replace(/\\(.)/g, '$1'),
    address,
  }));

describe('docs/reference/scim-conformance.md', () => {
  test('The table has the sections of all RFCs.', () => {
    expect(rows.length).toBeGreaterThan(60);
    const sections = new Set(rows.map(([, section]) => section));
    for (const section of ['2.2', '4.1.1', '3.4.2.2', '3.5.2', '3.7.1', '3.14', '9.2']) {
      expect(sections).toContain(section);
    }
  });

  test.each(rows.map((cells) => [cells[1], cells[2], cells[3]] as const))(
    'For section %s, %s, every test that the table names exists.',
    (_section, _what, cell = '') => {
      const named = links(cell);
      // If nothing can be tested, the table states why.
      if (cell.startsWith('—')) return expect(cell.length).toBeGreaterThan(10);
      expect(named.length).toBeGreaterThan(0);
      for (const { name, address } of named) {
        const file = join(docs, address);
        const exists = existsSync(file) && namesIn(file).has(name);
        expect({ name, address, exists }).toEqual({ name, address, exists: true });
      }
    },
  );
});
