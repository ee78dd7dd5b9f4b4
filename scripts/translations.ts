/**
 * Records the English texts from which the translations were made, after changed texts are translated:
 *   node scripts/translations.ts
 * `e2e/repository/translations.test.ts` fails for every English text that differs from the recorded one.
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { first } from '../console/src/words/en/first.ts';
import { rest } from '../console/src/words/en/rest.ts';
import { english } from '../services/auth/src/platform/pages/http/words/english.ts';

const file = resolve(import.meta.dirname, 'translations.json');

/** Argument of a text that is a function. It cannot occur in the text itself. */
const argument = (index: number): string => `⟨${index}⟩`;

type TextFunction = (...args: readonly unknown[]) => string | readonly string[];

/**
 * Returns the texts of a catalogue by the path of their keys. A text that is a function is called with placeholders,
 * and with 1 as number, where the singular can differ.
 */
export function textsOf(catalogue: object, path = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const [key, text] of Object.entries(catalogue) as [string, unknown][]) {
    const name = path === '' ? key : `${path}.${key}`;
    if (typeof text === 'string') found.set(name, text);
    else if (typeof text === 'function') {
      const call = text as TextFunction;
      const names = Array.from({ length: call.length }, (_, index) => argument(index));
      const results = [call(...names), call(...names.map(() => 1))];
      found.set(name, results.map((result) => [result].flat().join('')).join('\n'));
    } else if (typeof text === 'object' && text !== null)
      for (const [inner, value] of textsOf(text, name)) found.set(inner, value);
  }
  return found;
}

/** Returns a digest of each English text: of the console, and of the pages of auth. */
export const currentDigests = (): Record<string, string> => {
  const texts = textsOf({ console: { ...first, ...rest }, auth: english });
  return Object.fromEntries(
    [...texts].map(([key, text]) => [key, createHash('sha256').update(text).digest('hex').slice(0, 8)]),
  );
};

export const recordedDigests = (): Record<string, string> => JSON.parse(readFileSync(file, 'utf8'));

if (import.meta.main) writeFileSync(file, `${JSON.stringify(currentDigests(), null, 2)}\n`);
