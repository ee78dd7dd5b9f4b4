import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { figuresOnPage } from '../../scripts/structure/section.ts';

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
      'services/auth/src/keys/index.ts': "export * from './domain/key.ts';\n",
      'services/auth/src/keys/domain/key.ts': `export const key = (): void => {\n${lines(70)}};\n`,
      'services/auth/src/keys/data/keys.ts': `export class Keys {\n  find(): void {\n${lines(60)}  }\n}\n`,
      'services/auth/src/tokens/domain/token.ts':
        "import type { key } from '../../keys/index.ts';\nimport type { Tokens } from '../data/tokens.ts';\n",
      'services/auth/src/tokens/data/tokens.ts': "import type { Token } from '../domain/token.ts';\n",
      'services/auth/src/tokens/http/schema.graphql': 'a\n'.repeat(401),
      'services/auth/test/key.test.ts': `describe('keys', () => {\n${lines(70)}test('a key', () => {\n${lines(2)}});\n});\n`,
    };
    for (let index = 0; index < 26; index++) files[`libs/scim/src/filter/${index}.ts`] = '\n';
    for (const [file, text] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      writeFileSync(join(tree, file), text);
    }
    const { packages, above } = structureOf(tree);
    rmSync(tree, { recursive: true });
    expect(packages['services/auth']).toEqual({
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
      linesInFile: { 'services/auth/src/tokens/http/schema.graphql': 401 },
      linesInFunction: {
        'services/auth/src/keys/domain/key.ts#key': 72,
        'services/auth/src/keys/data/keys.ts#find': 62,
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

describe('the section of docs/architecture.md on the structure', () => {
  const page = figuresOnPage(readFileSync(join(root, 'docs/architecture.md'), 'utf8'));

  test('The section names every package.', () => {
    expect(Object.keys(page)).toEqual(Object.keys(today.packages));
  });

  test.each(Object.entries(today.packages))(
    'The section states the figures of %s correctly.',
    (name, figures) => {
      for (const [of, size] of Object.entries(figures)) {
        const written = page[name]?.[of as keyof (typeof page)[string]] ?? Number.NaN;
        // The limits are tested above. Figures that differ by 10 % still describe the structure.
        const holds = Math.abs(size - written) <= Math.max(5, written / 10);
        expect({ name, of, size, written, holds }).toMatchObject({ holds: true });
      }
    },
  );
});
