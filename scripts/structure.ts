// Prints the structure of the code in figures.
//   node scripts/structure.ts                   (each package, the places above the limits, and the shape of the product)
//   node scripts/structure.ts --above           (places above the limits)
//   node scripts/structure.ts --compare v0.1.0  (the shape of the product then and now)
//   node scripts/structure.ts --json --root …   (the figures of a tree elsewhere)
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { aboveLimits, limits, structureOf } from './structure/figures.ts';
import { type Shape, shapeOf } from './structure/shape.ts';

const { values } = parseArgs({
  options: {
    root: { type: 'string' },
    json: { type: 'boolean' },
    above: { type: 'boolean' },
    compare: { type: 'string' },
  },
});
const root = values.root ?? fileURLToPath(new URL('..', import.meta.url));

if (values.compare !== undefined) {
  const [then, now] = [shapeAt(values.compare), shapeOf(root)];
  console.table(
    Object.fromEntries(
      Object.entries(now).map(([name, value]) => [name, { [values.compare ?? '']: then[name], now: value }]),
    ),
  );
} else {
  const { packages, measured } = structureOf(root);
  const above = aboveLimits(measured);
  if (values.json) console.log(JSON.stringify({ packages: Object.fromEntries(packages), above }, null, 2));
  else if (values.above) console.log(JSON.stringify(above, null, 2));
  else {
    console.table(Object.fromEntries(packages));
    for (const [of, entries] of Object.entries(above)) {
      console.log(`${Object.keys(entries).length} with more than ${limits[of as keyof typeof limits]} ${of}`);
    }
    console.table(shapeOf(root));
  }
}

/** Returns the shape of the product at a commit, measured with the rules of this checkout. */
function shapeAt(commit: string): Shape {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-structure-'));
  try {
    const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 1024 ** 3 });
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    return shapeOf(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
