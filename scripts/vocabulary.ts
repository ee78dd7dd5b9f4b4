// Says where words are left that docs/glossary.md advises against: names and titles of tests, by package.
//   node scripts/vocabulary.ts
//   node scripts/vocabulary.ts --write      (the list of what is left)
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTexts } from './structure/sources.ts';
import { avoidedWords, remainingIn } from './structure/vocabulary.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const avoided = avoidedWords(readFileSync(join(root, 'docs/glossary.md'), 'utf8'));
const remaining = `${JSON.stringify(remainingIn(readTexts(root), avoided), null, 2)}\n`;
if (process.argv.includes('--write')) {
  writeFileSync(join(root, 'scripts/structure/remaining-words.json'), remaining);
} else process.stdout.write(remaining);
