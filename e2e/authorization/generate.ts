/**
 * Writes matrix.json from the running system that OSTIARY_E2E names, or from its own: `npm run authorization-matrix` in
 * the root directory.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runningDemo } from '../support/demo.ts';
import { ownSystem } from '../support/own-system.ts';
import { collect } from './matrix.ts';
import { createWorld } from './world.ts';

const own = process.env.OSTIARY_E2E
  ? undefined
  : await ownSystem({ env: { GRAPH_POINTS_PER_MINUTE: '999999999' } });
if (own) {
  process.env.OSTIARY_E2E = join(own.system.home, 'demo.json');
  process.env.OSTIARY_E2E_SYSTEM = join(own.system.home, 'system.json');
  writeFileSync(process.env.OSTIARY_E2E_SYSTEM, JSON.stringify({ urls: own.system.urls }));
}
try {
  const begun = performance.now();
  const world = await createWorld(runningDemo());
  const made = performance.now();
  const { rows, problems, cells } = await collect(world);
  const seconds = (from: number, to: number): string => ((to - from) / 1000).toFixed(1);
  process.stdout.write(
    `${Object.keys(rows).length} fields, ${cells} answers; ${seconds(begun, made)} s to prepare, ${seconds(made, performance.now())} s to ask\n`,
  );
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
  else writeFileSync(new URL('./matrix.json', import.meta.url), `${JSON.stringify(rows, null, 2)}\n`);
} finally {
  await own?.stop();
}
