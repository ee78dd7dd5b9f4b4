/**
 * Builds the file systems of all images without a container engine and prints their sizes.
 *
 *   npm run images                            from the local build, and removes them again
 *   npm run images -- --from-nothing          builds first, with the steps of the Dockerfile in a copy of its context
 *   npm run images -- --keep /tmp/images      keeps them there
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { assemble, builtHere } from './assemble.ts';
import { baseProblem, unpackBase } from './base-image.ts';
import { buildFromContext } from './build-stage.ts';
import { parseDockerfile } from './dockerfile.ts';
import { bytesOf, filesOf } from './files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { values } = parseArgs({
  options: { keep: { type: 'string' }, 'from-nothing': { type: 'boolean', default: false } },
});

const problem = baseProblem();
if (problem !== undefined) {
  console.error(`The images can't be made: ${problem}.`);
  process.exit(1);
}
const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'ostiary-images-'));
mkdirSync(folder, { recursive: true });
try {
  const stages = parseDockerfile(readFileSync(join(root, 'Dockerfile'), 'utf8'));
  const pathIn = values['from-nothing']
    ? buildFromContext(root, stages, join(folder, 'build'))
    : builtHere(root);
  const base = join(folder, 'base');
  mkdirSync(join(root, '.ostiary'), { recursive: true });
  unpackBase(base, join(root, '.ostiary/debian-12'));
  for (const { name } of stages.filter(({ from }) => from === 'runtime')) {
    assemble(name, join(folder, name), { stages, base, pathIn });
    process.stdout.write(
      `${(bytesOf(filesOf(join(folder, name))) / 1e6).toFixed(1).padStart(6)} MB  ${name}\n`,
    );
  }
} finally {
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
