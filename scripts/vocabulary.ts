// Prints the words that docs/glossary.md advises against, in names and titles of tests, by package. There must be none.
//   node scripts/vocabulary.ts
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readSources } from './structure/sources.ts';
import { avoidedWords, remainingIn } from './structure/vocabulary.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const avoided = avoidedWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8'));
process.stdout.write(`${JSON.stringify(remainingIn(readSources(root), avoided), null, 2)}\n`);
