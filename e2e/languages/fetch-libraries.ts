// Downloads the libraries of the guides for other languages into the caches of Go and Maven, and into an environment of
// Python, where their programs exist. The tests of the guides build offline.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildGoApi, buildSpringApi, installPython } from './protected-apis.ts';
import { buildGo, buildSpring } from './toolchains.ts';

const builds: readonly [program: string, build: (folder: string) => Promise<unknown>][] = [
  ['go', buildGo],
  ['go', buildGoApi],
  ['mvn', buildSpring],
  ['mvn', (folder) => buildSpringApi(folder, 'opaqueToken')],
  ['python3', installPython],
];

for (const [program, build] of builds) {
  if (spawnSync('which', [program]).status !== 0) continue;
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-libraries-'));
  await build(folder).catch((error: Error) => {
    console.error(`${program}: ${error.message}`);
    process.exitCode = 1;
  });
  await rm(folder, { recursive: true, force: true });
}
