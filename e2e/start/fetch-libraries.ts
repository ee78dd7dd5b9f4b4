// Downloads the libraries of docs/guides/add-sign-in-other-languages.md into the caches of Go and Maven, where their
// programs exist. The tests of the guide build offline.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildGo, buildSpring } from './toolchains.ts';

const builds = { go: buildGo, mvn: buildSpring };

for (const [program, build] of Object.entries(builds)) {
  if (spawnSync('which', [program]).status !== 0) continue;
  const folder = await mkdtemp(join(tmpdir(), 'ostiary-libraries-'));
  await build(folder).catch((error: Error) => {
    console.error(`${program}: ${error.message}`);
    process.exitCode = 1;
  });
  await rm(folder, { recursive: true, force: true });
}
