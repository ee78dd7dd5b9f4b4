/** Writes dist/cjs: the modules of dist in CommonJS, with the same types. */
import { copyFile, glob, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const dist = join(import.meta.dirname, 'dist');
const cjs = join(dist, 'cjs');
await rm(cjs, { recursive: true, force: true });

const modules = await Array.fromAsync(glob('**/*.js', { cwd: dist }));
await build({
  entryPoints: modules.map((path) => join(dist, path)),
  outdir: cjs,
  outbase: dist,
  format: 'cjs',
  platform: 'node',
  target: 'node20.19',
});

for await (const path of glob('**/*.d.ts', { cwd: dist, exclude: ['cjs'] })) {
  await mkdir(dirname(join(cjs, path)), { recursive: true });
  await copyFile(join(dist, path), join(cjs, path));
}
await writeFile(join(cjs, 'package.json'), '{ "type": "commonjs" }\n');
