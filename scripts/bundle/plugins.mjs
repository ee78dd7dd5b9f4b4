/** esbuild plugins for the programs. */
import { copyFile, readFile, rename, writeFile } from 'node:fs/promises';
import { builtinModules, createRequire } from 'node:module';
import { basename, relative, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Loads Node's modules with `getBuiltinModule`, lazily. An ES module import reads all properties, again for each
 * importing file, and some properties load more modules (`http.WebSocket` loads an HTTP client).
 */
export function builtins() {
  // Except punycode, which is deprecated: the packages that use it depend on a package of that name.
  const names = new RegExp(`^(node:)?(${builtinModules.filter((name) => name !== 'punycode').join('|')})$`);
  const own = (name) => `process.getBuiltinModule(${JSON.stringify(name)})`;
  return {
    name: 'builtins',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: names }, ({ path, kind }) => ({
        path: path.startsWith('node:') ? path : `node:${path}`,
        namespace: kind === 'require-call' ? 'required-builtin' : 'imported-builtin',
        sideEffects: false,
      }));
      onLoad({ filter: /./, namespace: 'required-builtin' }, ({ path }) => ({
        contents: `module.exports = ${own(path)};`,
      }));
      onLoad({ filter: /./, namespace: 'imported-builtin' }, ({ path }) => {
        const exported = Object.keys(process.getBuiltinModule(path)).filter(
          (name) => name !== 'default' && /^[\w$]+$/.test(name),
        );
        // Unused exports are removed.
        const lines = exported.map(
          (name) => `const _${name} = /* @__PURE__ */ (() => own.${name})(); export { _${name} as ${name} };`,
        );
        return { contents: [`const own = ${own(path)}; export default own;`, ...lines].join('\n') };
      });
    },
  };
}

/** Replaces reading a service's schema from the folders of its modules by the text. */
export function schemas() {
  return {
    name: 'schemas',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/](composition[\\/])?schema\.ts$/ }, async () => {
        // Imported here: a program without a schema is also built before libs/graph.
        const { readSchema } = await import('../../libs/graph/dist/server/schema-files.js');
        const text = readSchema(pathToFileURL(`${resolve('src')}/`));
        return { contents: `export const typeDefs = ${JSON.stringify(text)};` };
      });
    },
  };
}

/** The migration engine reads its WebAssembly from its package; copies it beside the program. */
export function schemaEngine() {
  const name = '@prisma/schema-engine-wasm/schema_engine_bg';
  return {
    name: 'schema engine',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]database[\\/]dist[\\/]migration[\\/]schema-engine\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const asked = `import.meta.resolve('${name}')`;
        if (!text.includes(asked)) throw new Error(`${path} no longer imports ${name}`);
        const home = import.meta.resolve(name, pathToFileURL(path));
        await copyFile(new URL('schema_engine_bg.wasm', home), 'dist/schema_engine_bg.wasm');
        return { contents: text.replace(asked, "new URL('./', import.meta.url)") };
      });
    },
  };
}

/**
 * Reads the WebAssembly of Prisma's query compiler from a file beside the program, instead of megabytes of base64 text
 * that stay in memory.
 */
export function queryCompiler() {
  const asked =
    /const \{ wasm \} = await import\("([^"]+\.wasm-base64\.mjs)"\)\s+return await decodeBase64AsWasm\(wasm\)/;
  return {
    name: 'query compiler',
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]generated[\\/]internal[\\/]class\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const name = asked.exec(text)?.[1];
        if (name === undefined) throw new Error(`${path} doesn't load a compiler of queries as it did`);
        const file = basename(name).replace(/-base64\.mjs$/, '');
        const { wasm } = await import(import.meta.resolve(name, pathToFileURL(path)));
        await writeFile(`dist/${file}`, Buffer.from(wasm, 'base64'));
        const read = `return new WebAssembly.Module(process.getBuiltinModule('node:fs').readFileSync(new URL('./${file}', import.meta.url)))`;
        return { contents: text.replace(asked, read), loader: 'ts' };
      });
    },
  };
}

/**
 * Copies the native code of Argon2 for this platform beside the program.
 * @param machineCode receives the path of the copied file
 */
export function nativeArgon2(machineCode) {
  const file = './argon2.node';
  return {
    name: 'native argon2',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^\.\/argon2\.node$/ }, () => ({ path: file, external: true }));
      onLoad({ filter: /[\\/]@node-rs[\\/]argon2[\\/]index\.js$/ }, async ({ path }) => {
        const require = createRequire(path);
        require(path);
        const loaded = Object.keys(require.cache).find((name) => /argon2\.[\w-]+\.node$/.test(name));
        if (loaded === undefined)
          throw new Error(`${path} has no binary for ${process.platform} ${process.arch}`);
        machineCode.add(relative('.', loaded));
        // Replaced by a rename: writing into the file would crash a process that has it mapped.
        const copy = `dist/${basename(file)}.${process.pid}`;
        await copyFile(loaded, copy);
        await rename(copy, `dist/${basename(file)}`);
        return { contents: `module.exports = require('${file}');` };
      });
    },
  };
}
