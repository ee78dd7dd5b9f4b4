import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { SourceMap as NodeSourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import {
  indexSources,
  nameSources,
  type SourceMap,
  sourcePosition,
} from '../../src/process/source-positions.ts';

let folder: string;
let code: string;
let map: SourceMap;
const bundle = () => join(folder, 'out', 'program.cjs');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bundle-'));
  await writeFile(
    join(folder, 'deep.ts'),
    "type Unused = string;\n\nexport function deep(word: string): never {\n  throw new RangeError('no ' + word);\n}\n",
  );
  const many = Array.from({ length: 700 }, (_, at) => `export const number${at}: number = ${at};\n\n`);
  await writeFile(join(folder, 'many.ts'), many.join(''));
  await writeFile(
    join(folder, 'main.ts'),
    "import * as many from './many.ts';\nimport { deep } from './deep.ts';\n\n// A remark.\nexport const run = (word: string) => deep(word + Object.keys(many));\n",
  );
  const options = { bundle: true, format: 'cjs', sourcemap: 'external', sourcesContent: false } as const;
  const { outputFiles } = await build({
    ...options,
    entryPoints: [join(folder, 'main.ts')],
    outfile: bundle(),
    write: false,
  });
  map = JSON.parse(outputFiles[0]?.text ?? '');
  code = outputFiles[1]?.text ?? '';
});
afterAll(() => rm(folder, { recursive: true }));

const run = (): string => {
  const module = { exports: {} as { run(word: string): never } };
  new Script(`(function (module) {${code}\n})`, { filename: bundle() }).runInThisContext()(module);
  try {
    return module.exports.run('way');
  } catch (error) {
    return (error as Error).stack ?? '';
  }
};

/** Restores the stack traces of this process afterwards. */
function withNames(use: () => void): void {
  const before = Error.prepareStackTrace;
  try {
    nameSources(bundle());
    use();
  } finally {
    if (before === undefined) delete (Error as { prepareStackTrace?: unknown }).prepareStackTrace;
    else Error.prepareStackTrace = before;
  }
}

describe('positions in a bundle', () => {
  test('Every position in a bundle is found where Node finds it.', () => {
    const wanted = code
      .split('\n')
      .flatMap((text, line) => Array.from(text, (_, column) => ({ line: line + 1, column: column + 1 })))
      .filter((_, at) => at % 11 === 0);
    const reference = new NodeSourceMap({ version: 3, names: [], sourceRoot: '', ...map } as never);
    const expected = wanted.map(({ line, column }) => {
      const entry = reference.findEntry(line - 1, column - 1);
      // Node uses the previous line where a line has no mapping so far.
      if (!('originalSource' in entry) || entry.generatedLine !== line - 1) return undefined;
      return {
        source: entry.originalSource,
        line: entry.originalLine + 1,
        column: entry.originalColumn + 1,
      };
    });
    expect(wanted.length).toBeGreaterThan(200);
    const index = indexSources(map);
    const read = (from: number, to?: number) => map.mappings.slice(from, to);
    expect(wanted.map((position) => sourcePosition(index, read, position))).toEqual(expected);
    expect(index.checkpoints.length).toBeGreaterThan(3);
  });

  test('Stack traces name the sources of a bundle, and the bundle itself when it has no map.', async () => {
    withNames(() => {
      const stack = run();
      expect(stack).toMatch(/^RangeError: no way.*\n {4}at /);
      expect(stack).not.toContain(`${join(folder, 'deep.ts')}:4:9`);
      expect(stack).toContain(`${bundle()}:`);
    });
    await mkdir(join(folder, 'out'));
    await writeFile(join(folder, 'out', 'program.sources.json'), JSON.stringify(indexSources(map)));
    await writeFile(join(folder, 'out', 'program.mappings'), map.mappings);
    withNames(() => {
      const lines = run().split('\n');
      expect(lines.slice(0, 3)).toEqual([
        expect.stringMatching(/^RangeError: no way/),
        `    at deep (${join(folder, 'deep.ts')}:4:9)`,
        expect.stringContaining(`${join(folder, 'main.ts')}:5:`),
      ]);
      // Other lines are those of V8.
      expect(lines[3]).toMatch(/^ {4}at run \(.*source-positions\.test\.ts.*:\d+:\d+\)$/);
    });
  });
});
