/**
 * `node compile.mjs dist/main.js`: loads the program and stores V8's compiled code, including functions that were
 * called.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const path = resolve(process.argv[2]);
const cache = path.replace(/js$/, 'cache');
rmSync(cache, { force: true });

let script;
globalThis[Symbol.for('ostiary.compiled')] = (compiled) => {
  script = compiled;
};
let failed = false;
process.on('exit', () => {
  if (script !== undefined) writeFileSync(cache, script.createCachedData());
  process.exitCode = failed || script === undefined ? 1 : 0;
});
process.argv[1] = path;
try {
  await import(pathToFileURL(path).href);
} catch (error) {
  failed = true;
  console.error(error);
}
