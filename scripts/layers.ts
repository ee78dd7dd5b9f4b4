// Checks every import against the architecture (scripts/structure/rules.ts).
//   npm run lint:layers                        (everything)
//   npm run lint:layers -- services/auth       (one package)
// --root <folder> checks another tree, --json prints JSON for tests.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { placeOf } from './structure/places.ts';
import { readSources } from './structure/sources.ts';
import { type Violation, violationsIn } from './structure/violations.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { root: { type: 'string' }, json: { type: 'boolean' } },
});
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url));

const sources = readSources(root);
const concerns = ({ from }: Violation): boolean =>
  positionals.length === 0 || positionals.includes(placeOf(from).package);
const violations = violationsIn(sources).filter(concerns);

if (values.json) console.log(JSON.stringify(violations));
else {
  for (const [rule, broken] of Map.groupBy(violations, (violation) => violation.rule)) {
    console.log(`\n${rule} (${broken.length}): ${broken[0]?.because}`);
    for (const { from, to, line } of broken) {
      console.log(`  ${line === undefined ? from : `${from}:${line}`} → ${to}`);
    }
  }
  const imports = sources.reduce((sum, source) => sum + source.imports.length, 0);
  console.log(`${violations.length} violations in ${sources.length} files with ${imports} imports`);
}
process.exitCode = violations.length === 0 ? 0 : 1;
