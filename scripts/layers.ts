// Checks every import against the architecture (scripts/structure/rules.ts). For a tree elsewhere: --root <folder>; for a test: --json.
//   npm run lint:layers
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readSources } from './structure/sources.ts';
import { violationsIn } from './structure/violations.ts';

const { values } = parseArgs({ options: { root: { type: 'string' }, json: { type: 'boolean' } } });
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url));

const sources = readSources(root);
const violations = violationsIn(sources);
if (values.json) console.log(JSON.stringify(violations));
else {
  for (const { rule, because, from, to, line } of violations) {
    const place = line === undefined ? from : `${from}:${line}`;
    console.log(`${place} → ${to}\n    ${rule}: ${because}`);
  }
  const imports = sources.reduce((sum, source) => sum + source.imports.length, 0);
  console.log(`${violations.length} violations in ${sources.length} files with ${imports} imports`);
}
process.exitCode = violations.length === 0 ? 0 : 1;
