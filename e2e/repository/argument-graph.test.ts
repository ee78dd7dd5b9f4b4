import { globSync, readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { decodingWhenAsked } = (await import(
  pathToFileURL(join(root, 'scripts/bundle/argument-graph.mjs')).href
)) as { decodingWhenAsked(text: string): string };
const runtime = createRequire(join(root, 'services/auth/package.json')).resolve(
  '@prisma/client/runtime/client',
);
const text = readFileSync(runtime, 'utf8');

interface Decoded {
  inputNodes: readonly { edges: Readonly<Record<number, object>> }[];
}
type Decode = (serialized: { strings: string[]; graph: string }) => Decoded;

/** Returns the function with which Prisma's runtime decodes a graph, from its program text. */
function decoderOf(program: string): Decode {
  const name = /static deserialize\(\w+,\w+\)\{let \w+=(\w+)\(\w+\)/.exec(program)?.[1];
  const module = new Module(runtime) as Module & { _compile(program: string, path: string): void };
  module.paths = createRequire(runtime).resolve.paths('a-package') ?? [];
  module._compile(`${program};module.exports = { decode: ${name} };`, runtime);
  return (module.exports as { decode: Decode }).decode;
}

const clients = globSync('services/*/src/**/generated/internal/class.ts', { cwd: root }).sort();

test('Every service has a Prisma client.', () => {
  expect(clients).toHaveLength(3);
});

test.each(clients)(
  'In programs, Prisma decodes arguments on demand in any order, with the same result as the original decoder: %s.',
  (client) => {
    const source = readFileSync(join(root, client), 'utf8');
    const [, strings = '', graph = ''] =
      /strings: JSON\.parse\(("(?:[^"\\]|\\.)*")\),\s+graph: "([^"]+)"/.exec(source) ?? [];
    const serialized = { strings: JSON.parse(JSON.parse(strings) as string) as string[], graph };
    const original = decoderOf(text)(serialized);
    const whenAsked = decoderOf(decodingWhenAsked(text))(serialized);
    // In reverse order, and each of them twice.
    for (const _ of [1, 2]) {
      for (let id = original.inputNodes.length - 1; id >= 0; id -= 1) {
        expect(whenAsked.inputNodes[id]?.edges).toEqual(original.inputNodes[id]?.edges);
      }
    }
    expect(original.inputNodes.length).toBeGreaterThan(100);
    expect(JSON.stringify({ ...whenAsked, inputNodes: [] })).toBe(
      JSON.stringify({ ...original, inputNodes: [] }),
    );
  },
);
