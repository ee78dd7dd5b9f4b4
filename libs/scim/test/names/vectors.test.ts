import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { userNameKey, userNameProblem } from '../../src/index.ts';

/**
 * Results of two other implementations of UsernameCaseMapped for 4,040 texts, null for rejections: precis_i18n 1.1.2
 * (Python, with the data of Unicode 17.0.0 from unicodedata2 17.0.0, but str.lower() of Unicode 14) and, where it
 * differs, golang.org/x/text/secure/precis 0.43.0 (Unicode 15.0.0). Node 24 has Unicode 17.0.
 */
const vectors: [text: string, python: string | null, go: string | null][] = readFileSync(
  new URL('vectors.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as [string, string | null, (string | null)?])
  .map(([text, python, go]) => [text, python, go === undefined ? python : go]);

const ours = (text: string): string | null =>
  userNameProblem(text) === undefined ? userNameKey(text) : null;

/** Reasons for differences from the Python implementation. */
const reasons: Record<string, (text: string, key: string | null) => boolean> = {
  // Joiners are valid in some contexts (RFC 5892 appendix A.1 and A.2); they are invisible, so we reject them
  // everywhere.
  joiner: (text, key) => /[\u200c\u200d]/.test(text) && key === null,
  // Its width mapping is NFKC, which composes Hangul syllables of halfwidth letters (RFC 8264 §5.2.1 requires the
  // decomposition mapping).
  'halfwidth Hangul': (text, key) => /[\uffa0-\uffdc]/.test(text) && key === null,
  // RFC 8265 §3.1: a user name may be several parts separated by spaces. It accepts one part.
  parts: (text, key) => / |\u3000/.test(text) && key?.includes(' ') === true,
  // Its Python lower-cases by Unicode 14; Garay was added in 16.
  'newer letters': (text) => /[\u{10d50}-\u{10d65}\u1c89]/u.test(text),
};

test('The keys and refusals match those of other implementations, except for documented differences.', () => {
  const counted: Record<string, number> = {};
  const different = vectors.filter(([text, python]) => {
    const key = ours(text);
    if (key === python) return false;
    const reason = Object.entries(reasons).find(([, is]) => is(text, key));
    if (reason) counted[reason[0]] = (counted[reason[0]] ?? 0) + 1;
    return reason === undefined;
  });
  expect(different).toEqual([]);
  // Fails for a reason that is no longer needed, or that suddenly explains many differences.
  for (const reason of Object.keys(reasons))
    expect([reason, counted[reason]]).toEqual([reason, expect.any(Number)]);
  expect(Object.values(counted).reduce((sum, count) => sum + count, 0)).toBeLessThan(20);
});

test('A key that Go also has is the same, except for the sigma at the end of a word.', () => {
  const different = vectors.filter(([text, , go]) => {
    const key = ours(text);
    return go !== null && go !== '' && key !== null && key.replaceAll('ς', 'σ') !== go.replaceAll('ς', 'σ');
  });
  expect(different).toEqual([]);
});

test('The test vectors cover all kinds of characters.', () => {
  expect(vectors.length).toBeGreaterThan(4_000);
  const accepted = vectors.filter(([, python]) => python !== null).length;
  expect(accepted).toBeGreaterThan(1_000);
  expect(vectors.length - accepted).toBeGreaterThan(1_000);
  for (const kind of ['L', 'M', 'N', 'P', 'S', 'Z', 'C']) {
    expect(vectors.some(([text]) => new RegExp(`\\p{${kind}}`, 'u').test(text))).toBe(true);
  }
});
