import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

type Figures = Readonly<Record<string, number>>;

interface Structure {
  packages: Readonly<Record<string, Figures>>;
  above: Readonly<Record<string, Figures>>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

function structureOf(tree: string): Structure {
  const output = execFileSync(
    process.execPath,
    [join(root, 'scripts/structure.ts'), '--json', '--root', tree],
    { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' }, maxBuffer: 64 * 1024 * 1024 },
  );
  return JSON.parse(output) as Structure;
}

describe('figures of the structure', () => {
  const lines = (count: number): string => '  void 0;\n'.repeat(count);

  test('The figures state the contents of a tree and the exceeded limits.', () => {
    const tree = mkdtempSync(join(tmpdir(), 'ostiary-structure-'));
    const files: Record<string, string> = {
      'services/directory/src/keys/index.ts': "export * from './domain/key.ts';\n",
      'services/directory/src/keys/domain/key.ts': `export const key = (): void => {\n${lines(70)}};\n`,
      'services/directory/src/keys/data/keys.ts': `export class Keys {\n  find(): void {\n${lines(60)}  }\n}\n`,
      'services/directory/src/tokens/domain/token.ts':
        "import type { key } from '../../keys/index.ts';\nimport type { Tokens } from '../data/tokens.ts';\n",
      'services/directory/src/tokens/data/tokens.ts': "import type { Token } from '../domain/token.ts';\n",
      'services/directory/src/tokens/http/schema.graphql': 'a\n'.repeat(401),
      'services/directory/test/key.test.ts': `describe('keys', () => {\n${lines(70)}test('a key', () => {\n${lines(2)}});\n});\n`,
    };
    for (let index = 0; index < 26; index++) files[`libs/scim/src/filter/${index}.ts`] = '\n';
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      writeFileSync(join(tree, file), text);
    }
    const { packages, above } = structureOf(tree);
    rmSync(tree, { recursive: true });
    expect(packages['services/directory']).toEqual({
      filesInFolder: 1,
      linesInFile: 401,
      linesInFunction: 72,
      importsBetweenModules: 1,
      cyclesBetweenFiles: 1,
      cyclesBetweenModules: 0,
      againstDirection: 1,
    });
    expect(above).toEqual({
      filesInFolder: { 'libs/scim/src/filter': 26 },
      linesInFile: { 'services/directory/src/tokens/http/schema.graphql': 401 },
      linesInFunction: {
        'services/directory/src/keys/domain/key.ts#key': 72,
        'services/directory/src/keys/data/keys.ts#find': 62,
      },
    });
  });
});

const today = structureOf(root);

test.each(Object.entries(today.above))('The limit on %s is kept everywhere.', (_, above) => {
  expect(above).toEqual({});
});

describe('packages', () => {
  test.each(Object.entries(today.packages))(
    'The package %s has no cycle and no import against the direction.',
    (_, figures) => {
      expect(figures).toMatchObject({ cyclesBetweenFiles: 0, cyclesBetweenModules: 0, againstDirection: 0 });
    },
  );
});
