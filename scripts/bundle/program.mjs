/**
 * Runs the bundle beside this file. The cache contains V8's compiled code from the build; another version of V8 rejects
 * it and compiles again. Written by scripts/bundle.mjs.
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
// Text and cache are not kept here after V8 has them.
compiled().runInThisContext()(
  module.exports,
  createRequire(filename),
  module,
  filename,
  import.meta.dirname,
  import.meta.url,
);

function compiled() {
  // The text is ASCII (scripts/bundle.mjs), one byte per character in memory.
  const script = new Script(readFileSync(filename, 'latin1'), {
    filename,
    cachedData: read(filename.replace(/cjs$/, 'cache')),
  });
  globalThis[Symbol.for('ostiary.compiled')]?.(script);
  return script;
}
