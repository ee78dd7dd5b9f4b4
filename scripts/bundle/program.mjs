/**
 * Runs the bundle beside this file. What V8 compiled of it when it was built is in the cache; another version of V8 rejects that and
 * compiles anew. Written by scripts/bundle.mjs.
 */
const { readFileSync } = process.getBuiltinModule('node:fs');
const { createRequire } = process.getBuiltinModule('node:module');
const { Script } = process.getBuiltinModule('node:vm');

const filename = import.meta.filename.replace(/js$/, 'cjs');
const read = (path) => {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
};
const module = { exports: {} };
// Neither text nor cache is kept here once V8 has them.
compiled().runInThisContext()(
  module.exports,
  createRequire(filename),
  module,
  filename,
  import.meta.dirname,
  import.meta.url,
);

function compiled() {
  // ASCII all of it (scripts/bundle.mjs): a byte a character in memory.
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    cachedData: read(filename.replace(/cjs$/, 'cache')),
  });
  globalThis[Symbol.for('ostiary.compiled')]?.(script);
  return script;
}
