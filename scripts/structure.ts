// Prints the structure of each package in figures, or writes them to docs/architecture.md.
//   node scripts/structure.ts                   (a table, and the number of places above the limits)
//   node scripts/structure.ts --above           (places above the limits)
//   node scripts/structure.ts --write           (the section of docs/architecture.md)
//   node scripts/structure.ts --json --root …   (the figures of another tree)
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { aboveLimits, limits, structureOf } from './structure/figures.ts';
import { sectionOf, withSection } from './structure/section.ts';

const { values } = parseArgs({
  options: {
    root: { type: 'string' },
    json: { type: 'boolean' },
    above: { type: 'boolean' },
    write: { type: 'boolean' },
  },
});
const project = fileURLToPath(new URL('..', import.meta.url));
const { packages, measured } = structureOf(values.root ?? project);
const above = aboveLimits(measured);

if (values.json) console.log(JSON.stringify({ packages: Object.fromEntries(packages), above }, null, 2));
else if (values.above) console.log(JSON.stringify(above, null, 2));
else if (values.write) {
  const page = join(project, 'docs/architecture.md');
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), sectionOf(Object.fromEntries(packages))));
} else {
  console.table(Object.fromEntries(packages));
  for (const [of, entries] of Object.entries(above)) {
    console.log(`${Object.keys(entries).length} with more than ${limits[of as keyof typeof limits]} ${of}`);
  }
}
