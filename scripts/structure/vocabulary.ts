/** Finds the words that the glossary advises against, in file names, identifiers and titles of tests. */
import { posix } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { placeOf } from './places.ts';
import type { SourceText } from './sources.ts';

/** Package → word → number of distinct names and titles with it. */
export type Remaining = Record<string, Record<string, number>>;

/** Returns the words of the left column of the table in docs/glossary.md. */
export function avoidedWords(glossary: string): string[] {
  const section = glossary.slice(glossary.indexOf('## Words'));
  return [...section.matchAll(/^\| `([^`]+)` \|/gm)].map(([, word = '']) => word);
}

export function remainingIn(sources: readonly SourceText[], avoided: readonly string[]): Remaining {
  const texts = new Map<string, Set<string>>();
  for (const source of sources) {
    const name = placeOf(source.path).package;
    const known = texts.get(name) ?? new Set();
    texts.set(name, known);
    for (const text of textsOf(source)) known.add(text);
  }
  const remaining: Remaining = {};
  for (const [name, known] of texts) {
    const counts = avoided.flatMap((word) => {
      const pattern = new RegExp(`\\b${word}\\b`);
      const count = [...known].filter((text) => pattern.test(text)).length;
      return count === 0 ? [] : [[word, count] as const];
    });
    if (counts.length > 0) remaining[name] = Object.fromEntries(counts);
  }
  return remaining;
}

/** Returns names and titles in lower case, with the words of a name separated. */
function textsOf({ path, text }: SourceText): string[] {
  const found = [posix.basename(path, '.ts')];
  const titled = /^(test|it|describe)\b/;
  const visitor = new Visitor({
    Identifier: (node) => {
      found.push(node.name);
    },
    CallExpression: ({ callee, arguments: [title] }) => {
      if (title?.type === 'Literal' && titled.test(text.slice(callee.start, callee.end))) {
        found.push(String(title.value));
      }
    },
  });
  visitor.visit(parseSync(path, text).program);
  return found.map((name) =>
    name
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replaceAll(/[_-]/g, ' ')
      .toLowerCase(),
  );
}
