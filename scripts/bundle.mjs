#!/usr/bin/env node
/**
 * Writes the programs of the package in the current directory as bundles. `node ../../scripts/bundle.mjs main migrate`
 * writes from src/main.ts
 *
 *   dist/main.js        the program: loads the next two
 *   dist/main.cjs       everything that src/main.ts imports, in one file
 *   dist/main.cache     V8's compiled code of it
 *   dist/main.sources.json, dist/main.mappings   the positions of lines in the sources, for stack traces
 *   dist/main.notices.txt   the licences of its packages
 *   dist/main.sbom.json     its packages, for vulnerability scanners (CycloneDX)
 *   dist/argon2.node        native code of this platform, for programs that hash passwords
 *
 * and the same from src/migrate.ts; `quicker=test/support/quicker-main.ts` writes dist/quicker.js from another file.
 * The other modules in dist stay, because other packages import them.
 *
 * Finding, reading and compiling about three thousand single modules was most of the startup time.
 */
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { indexSources } from '../libs/service/dist/process/source-positions.js';
import { argumentGraph } from './bundle/argument-graph.mjs';
import { inAscii } from './bundle/ascii.mjs';
import { billOfMaterials } from './bundle/bill-of-materials.mjs';
import { thirdPartyNotices } from './bundle/notices.mjs';
import { packageFolders } from './bundle/packages.mjs';
import { builtins, nativeArgon2, queryCompiler, schemaEngine, schemas } from './bundle/plugins.mjs';

const beside = (name) => fileURLToPath(new URL(`./bundle/${name}`, import.meta.url));
const program = await readFile(beside('program.mjs'), 'utf8');

await mkdir('dist', { recursive: true });
await Promise.all(process.argv.slice(2).map(bundle));

async function bundle(argument) {
  const [name, entry = `src/${name}.ts`] = argument.split('=');
  // V8 identifies the script of a cache by its length only, so a cache of another build must be deleted.
  await rm(`dist/${name}.cache`, { force: true });
  /** Files of packages that are copied beside the program. */
  const machineCode = new Set();
  const { metafile } = await build({
    entryPoints: [entry],
    outfile: `dist/${name}.cjs`,
    bundle: true,
    platform: 'node',
    // A script and not a module: V8 can cache compiled code after execution for scripts only. Modules are strict, so
    // this script is.
    format: 'cjs',
    banner: { js: '(function (exports, require, module, __filename, __dirname, __url) { "use strict";' },
    footer: { js: '})' },
    define: {
      'import.meta.url': '__url',
      'import.meta.filename': '__filename',
      'import.meta.dirname': '__dirname',
    },
    target: 'node24',
    // Logs contain class names; without this, two classes of one name become `Name` and `Name2`.
    keepNames: true,
    // The source text stays in memory, and minification halves it. Lines for stack traces remain.
    minify: true,
    lineLimit: 160,
    sourcemap: 'external',
    sourcesContent: false,
    inject: [fileURLToPath(new URL('../libs/service/dist/process/bundled.js', import.meta.url))],
    metafile: true,
    logLevel: 'warning',
    logOverride: { 'empty-import-meta': 'error' },
    // node-fetch can use Node's URL; its own for Node.js 6 contains all characters of IDNA.
    alias: { punycode: 'punycode/', 'whatwg-url': 'node:url' },
    plugins: [
      builtins(),
      schemas(),
      schemaEngine(),
      queryCompiler(),
      argumentGraph(),
      nativeArgon2(machineCode),
    ],
  });
  await writeFile(`dist/${name}.cjs`, inAscii(await readFile(`dist/${name}.cjs`, 'utf8')));
  const map = JSON.parse(await readFile(`dist/${name}.cjs.map`, 'utf8'));
  await writeFile(`dist/${name}.sources.json`, JSON.stringify(indexSources(map)));
  await writeFile(`dist/${name}.mappings`, map.mappings);
  await rm(`dist/${name}.cjs.map`);
  const folders = packageFolders(metafile, machineCode);
  await writeFile(`dist/${name}.notices.txt`, await thirdPartyNotices(folders));
  await writeFile(`dist/${name}.sbom.json`, await billOfMaterials(name, folders));
  await writeFile(`dist/${name}.js`, program);
  // Output of the compiler for the replaced module.
  for (const ending of ['js.map', 'd.ts']) await rm(`dist/${name}.${ending}`, { force: true });
  compile(name);
}

/** Runs the program without an environment: it loads everything, reports missing settings, and ends. */
function compile(name) {
  const { status, stderr } = spawnSync(process.execPath, [beside('compile.mjs'), `dist/${name}.js`], {
    env: {},
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`dist/${name}.js does not load: ${stderr}`);
}
