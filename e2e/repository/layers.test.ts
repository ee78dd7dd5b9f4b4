import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';

const root = resolve(import.meta.dirname, '../..');

/** One file per rule that breaks it, in a tree of the project's shape. */
const offences: readonly [rule: string, file: string, imported: string][] = [
  ['no-service-imports-another', 'services/auth/src/domain/a.ts', '../../../directory/src/domain/users.ts'],
  ['no-service-imports-another', 'services/auth/src/data/b.ts', '../../../directory/dist/main.js'],
  ['no-service-imports-another', 'services/auth/src/jobs/c.ts', '../../../../gateway/src/app.ts'],
  ['gateway-imports-no-service', 'gateway/src/d.ts', '../../services/directory/src/domain/users.ts'],
  ['libs-import-no-service', 'libs/scim/src/e.ts', '../../../services/directory/src/domain/users.ts'],
  [
    'no-way-into-a-lib-but-its-front-door',
    'services/auth/src/data/f.ts',
    '../../../../libs/scim/src/text.ts',
  ],
  ['domain-knows-no-surface-and-no-engine', 'services/auth/src/domain/g.ts', 'fastify'],
  ['domain-knows-no-surface-and-no-engine', 'services/auth/src/domain/h.ts', 'ioredis'],
  ['domain-knows-no-surface-and-no-engine', 'services/auth/src/domain/i.ts', 'bullmq'],
  ['domain-knows-no-surface-and-no-engine', 'services/auth/src/domain/j.ts', '@apollo/server'],
  ['domain-knows-no-surface-and-no-engine', 'services/auth/src/domain/k.ts', '../http/routes.ts'],
  ['data-knows-no-surface', 'services/auth/src/data/l.ts', '../http/routes.ts'],
  ['only-data-knows-prisma', 'services/auth/src/http/m.ts', '@prisma/client'],
  ['surfaces-know-no-engine', 'services/auth/src/graph/n.ts', 'bullmq'],
  ['one-module-knows-the-apollo-gateway', 'gateway/src/graph/o.ts', '@apollo/gateway'],
  ['scim-is-pure', 'libs/scim/src/p.ts', 'node:fs'],
  ['scim-is-pure', 'libs/scim/src/q.ts', 'fastify'],
  ['tests-are-not-imported', 'services/auth/src/domain/r.ts', '../../test/fixture.ts'],
];

const innocent = [
  'services/directory/src/domain/users.ts',
  'services/directory/dist/main.js',
  'services/auth/src/http/routes.ts',
  'services/auth/test/fixture.ts',
  'gateway/src/app.ts',
  'libs/scim/src/text.ts',
];

let tree: string;
let found: { rule: string; from: string }[];

beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'ostiary-layers-'));
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'));
  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), text);
  };
  for (const file of innocent) await write(file, 'export const nothing = 0;\n');
  for (const [, file, imported] of offences) {
    await write(file, `import * as used from '${imported}';\nexport const use = used;\n`);
  }
  found = await violations(['libs/scim/src', 'gateway/src', 'services/auth/src', 'services/directory/src']);
});

afterAll(async () => {
  await rm(tree, { recursive: true, force: true });
});

function violations(roots: readonly string[]): Promise<{ rule: string; from: string }[]> {
  const program = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruiser.mjs');
  const rules = join(root, '.dependency-cruiser.mjs');
  return new Promise((settled, failed) => {
    execFile(
      process.execPath,
      [program, '--config', rules, '--output-type', 'json', ...roots],
      { cwd: tree, maxBuffer: 64 * 1024 * 1024 },
      (_error, out, problems) => {
        try {
          const { summary } = JSON.parse(out) as {
            summary: { violations: { rule: { name: string }; from: string }[] };
          };
          settled(summary.violations.map(({ rule, from }) => ({ rule: rule.name, from })));
        } catch {
          failed(new Error(problems || out));
        }
      },
    );
  });
}

test.each(offences)('%s: %s must not import %s', (rule, file) => {
  expect(found).toContainEqual({ rule, from: file });
});

test('what breaks no rule is not complained about', () => {
  expect(found.map(({ from }) => from).filter((file) => innocent.includes(file))).toEqual([]);
});
