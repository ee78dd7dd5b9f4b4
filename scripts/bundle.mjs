#!/usr/bin/env node
/**
 * Writes the programs of the package in the current directory as bundles: `node ../../scripts/bundle.mjs main migrate` makes of src/main.ts
 *
 *   dist/main.js        the program: loads the next two
 *   dist/main.cjs       all that src/main.ts imports, in one file
 *   dist/main.cache     what V8 compiled of it
 *   dist/main.sources.json, dist/main.mappings   which line comes from where, for stack traces
 *   dist/main.notices.txt   the licences of the packages in it
 *   dist/main.sbom.json     the packages in it, for programs that look for vulnerable ones (CycloneDX)
 *   dist/argon2.node        machine code of this platform, where passwords are hashed
 *
 * and likewise of src/migrate.ts; `quicker=test/support/quicker-main.ts` makes dist/quicker.js of another file. The other modules in dist stay what the compiler made of them: other packages import them.
 *
 * Finding, reading and compiling some three thousand modules one by one was most of what a start cost.
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
  // V8 tells by its length alone whether a cache is of a script: that of another build must never meet this one.
  await rm(`dist/${name}.cache`, { force: true });
  /** Files of packages that lie beside the program. */
  const machineCode = new Set();
  const { metafile } = await build({
    entryPoints: [entry],
    outfile: `dist/${name}.cjs`,
    bundle: true,
    platform: 'node',
    // A script rather than a module: only of a script can be kept what V8 has compiled of it after it ran. Modules are strict, so it is.
    format: 'cjs',
    banner: { js: '(function (exports, require, module, __filename, __dirname, __url) { "use strict";' },
    footer: { js: '})' },
    define: {
      'import.meta.url': '__url',
      'import.meta.filename': '__filename',
      'import.meta.dirname': '__dirname',
    },
    target: 'node24',
    // Names of classes are in logs; two of one name would else become `Name` and `Name2`.
    keepNames: true,
    // The text stays in memory for as long as the program runs: minified it is half of what it was. Lines, as stack traces count them, remain.
    minify: true,
    lineLimit: 160,
    sourcemap: 'external',
    sourcesContent: false,
    inject: [fileURLToPath(new URL('../libs/service/dist/process/bundled.js', import.meta.url))],
    metafile: true,
    logLevel: 'warning',
    logOverride: { 'empty-import-meta': 'error' },
    // node-fetch has Node's own URL, and brings another one for Node.js 6 with all characters of IDNA.
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
  // The compiler's, of the module that was here.
  for (const ending of ['js.map', 'd.ts']) await rm(`dist/${name}.${ending}`, { force: true });
  compile(name);
}

/** Runs the program without any environment: it loads everything, finds that settings are missing, and ends. */
function compile(name) {
  const { status, stderr } = spawnSync(process.execPath, [beside('compile.mjs'), `dist/${name}.js`], {
    env: {},
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`dist/${name}.js does not load: ${stderr}`);
}
