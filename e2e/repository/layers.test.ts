import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSources } from '../../scripts/structure/sources.ts';
import { type Violation, violationsIn } from '../../scripts/structure/violations.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

type Offences = Readonly<Record<string, readonly (readonly [from: string, imported: string])[]>>;

/** Rules by name, each with imports that violate it: the file, and the imported file or package. */
const offences: Offences = {
  'no-process-imports-another': [
    ['services/provisioning/src/keys/domain/key.ts', '../../../../directory/src/users/index.ts'],
    ['services/provisioning/src/keys/data/keys.ts', '../../../../directory/dist/main.js'],
    ['services/provisioning/src/main.ts', '@ostiary/directory'],
    ['gateway/src/app.ts', '../../services/directory/src/users/index.ts'],
  ],
  'libs-import-no-process': [
    ['libs/graph/src/page.ts', '../../../services/directory/src/users/index.ts'],
    ['libs/graph/src/page.ts', '@ostiary/auth'],
  ],
  'libs-are-entered-through-their-entry-points': [
    ['services/provisioning/src/keys/data/keys.ts', '../../../../../libs/scim/src/text.ts'],
    ['e2e/story.ts', '../libs/scim/src/text.ts'],
  ],
  'one-module-knows-the-apollo-gateway': [
    ['gateway/src/app.ts', '@apollo/gateway'],
    ['gateway/src/execution/graph/execution.ts', '@apollo/gateway'],
    ['services/provisioning/src/keys/graph/keys.ts', '@apollo/composition'],
  ],
  'scim-is-pure': [
    ['libs/scim/src/filter.ts', 'node:fs'],
    ['libs/scim/src/filter.ts', 'fastify'],
  ],
  'the-verifier-depends-on-jose-alone': [
    ['libs/verifier/src/verifier.ts', '@ostiary/service'],
    ['libs/verifier/src/server/http-client.ts', 'undici'],
    ['libs/verifier/src/fastify.ts', 'hono'],
    ['libs/verifier/src/verifier.ts', 'graphql'],
  ],
  'the-command-line-asks-the-graph-alone': [
    ['cli/src/commands/user.ts', 'graphql'],
    ['cli/src/commands/audit.ts', '@ostiary/database'],
    ['cli/src/session/session.ts', '../../../libs/service/src/index.ts'],
  ],
  'commands-are-not-imported': [
    ['cli/src/session/session.ts', '../commands/context.ts'],
    ['cli/src/graph/graph.ts', '../commands/values.ts'],
  ],
  'the-console-asks-the-graph-alone': [
    ['console/src/users/users-page.tsx', '@ostiary/access'],
    ['console/src/graph/client.ts', '../../../gateway/src/app.ts'],
  ],
  'features-of-the-console-are-entered-by-their-entry-points': [
    ['console/src/groups/group-page.tsx', '../users/users-page.tsx'],
    ['console/src/app/routes.ts', '../users/user-page.tsx'],
  ],
  'the-foundation-of-the-console-knows-no-feature': [
    ['console/src/ui/table.tsx', '../users/index.ts'],
    ['console/src/graph/client.ts', '../users/parts.tsx'],
  ],
  'tests-are-not-imported': [
    ['services/provisioning/src/keys/domain/key.ts', '../../../test/fixture.ts'],
    ['services/provisioning/src/keys/domain/key.ts', './key.test.ts'],
  ],
  'domain-imports-no-engine': [
    ...['fastify', 'ioredis', 'bullmq', '@prisma/client', 'pg', 'graphql', '@apollo/server'],
    ...['@ostiary/database', '@ostiary/graph', '@ostiary/database/testing'],
  ].map((imported) => ['services/provisioning/src/keys/domain/key.ts', imported] as const),
  'domain-imports-no-other-layer': ['data', 'http', 'graph', 'jobs'].map(
    (layer) => ['services/provisioning/src/keys/domain/key.ts', `../${layer}/keys.ts`] as const,
  ),
  'data-imports-no-surface': ['http', 'graph', 'jobs'].map(
    (layer) => ['services/provisioning/src/keys/data/keys.ts', `../${layer}/keys.ts`] as const,
  ),
  'surfaces-import-no-data': ['http', 'graph', 'jobs'].flatMap((layer) =>
    ['../data/keys.ts', '../../tokens/data/tokens.ts', '@prisma/client', 'pg'].map(
      (imported) => [`services/provisioning/src/keys/${layer}/keys.ts`, imported] as const,
    ),
  ),
  'surfaces-import-no-other-surface': [
    ['services/provisioning/src/keys/http/keys.ts', '../graph/keys.ts'],
    ['services/provisioning/src/keys/graph/keys.ts', '../jobs/keys.ts'],
    ['services/provisioning/src/keys/jobs/keys.ts', '../../tokens/http/tokens.ts'],
  ],
  'http-and-graph-know-no-redis': [
    ['services/provisioning/src/keys/http/keys.ts', 'ioredis'],
    ['services/provisioning/src/keys/graph/keys.ts', 'bullmq'],
  ],
  'units-are-entered-through-their-entry-points': [
    ['services/provisioning/src/keys/domain/key.ts', '../../tokens/domain/token.ts'],
    ['services/provisioning/src/keys/domain/key.ts', '../../tokens/http/tokens.ts'],
    ['services/provisioning/src/keys/data/keys.ts', '../../tokens/domain/token.ts'],
    ['services/provisioning/src/keys/http/keys.ts', '../../tokens/graph/tokens.ts'],
    ['services/auth/src/access/roles/domain/role.ts', '../../../tenancy/users/domain/user.ts'],
    ['services/auth/src/clients/data/clients.ts', '../../access/roles/domain/role.ts'],
  ],
  'a-unit-does-not-enter-itself': [
    ['services/provisioning/src/keys/domain/key.ts', '../index.ts'],
    ['services/provisioning/src/keys/data/keys.ts', '../index.ts'],
    ['services/auth/src/access/roles/domain/role.ts', '../../index.ts'],
  ],
  'an-entry-point-exports-the-domain': [
    ['services/provisioning/src/keys/index.ts', './data/keys.ts'],
    ['services/auth/src/access/index.ts', './roles/graph/roles.ts'],
  ],
  'a-district-imports-lower-districts': [
    ['services/auth/src/tenancy/users/domain/user.ts', '../../../access/index.ts'],
    ['services/auth/src/clients/data/clients.ts', '../../oauth/data/codes.ts'],
    ['services/auth/src/tenancy/module.ts', '../access/module.ts'],
    ['services/auth/src/tenancy/module.ts', '../access/index.ts'],
  ],
  'a-district-is-wired-through-module-files': [
    ['services/auth/src/access/module.ts', '../tenancy/users/data/users.ts'],
    ['services/auth/src/access/module.ts', '../tenancy/users/domain/user.ts'],
  ],
  'modules-do-not-import-the-composition-root': [
    ['services/provisioning/src/keys/domain/key.ts', '../../env.ts'],
    ['services/provisioning/src/keys/http/keys.ts', '../../composition/wiring.ts'],
    ['services/auth/src/access/roles/data/roles.ts', '../../../tenancy/module.ts'],
  ],
  'the-generated-client-is-used-by-data': [
    ['services/provisioning/src/keys/domain/key.ts', '../../database/generated/client.ts'],
    ['services/provisioning/src/keys/jobs/keys.ts', '../../database/generated/client.ts'],
  ],
};

/** Kinds of imports. Type imports count, too. */
const statements: Readonly<Record<string, (imported: string) => string>> = {
  'an import': (imported) => `import { used } from '${imported}';\nexport const use = used;\n`,
  'an import for its effect': (imported) => `import '${imported}';\n`,
  'a dynamic import': (imported) => `export const use = () => import('${imported}');\n`,
  'a re-export': (imported) => `export * from '${imported}';\n`,
  'an import of a type': (imported) => `import type { Used } from '${imported}';\nexport type Use = Used;\n`,
  'an import of types by their names': (imported) =>
    `import { type Used } from '${imported}';\nexport type Use = Used;\n`,
  'a re-export of a type': (imported) => `export type { Used } from '${imported}';\n`,
  'an import inside a type': (imported) => `export type Use = { of: import('${imported}').Used };\n`,
};

/** Tree with permitted imports only. */
const innocent: Readonly<Record<string, string>> = {
  'libs/scim/src/text.ts': "import type { Filter } from './filter.ts';\nexport type Text = Filter;\n",
  'libs/scim/src/filter.ts': 'export type Filter = 0;\n',
  'services/directory/src/users/index.ts': 'export const users = 0;\n',
  'services/provisioning/src/app.ts':
    "import './keys/index.ts';\nimport './keys/data/keys.ts';\nimport './tokens/http/routes.ts';\nimport './env.ts';\n",
  'services/provisioning/src/env.ts': 'export const env = 0;\n',
  'services/provisioning/src/composition/wiring.ts':
    "import '../tokens/graph/tokens.ts';\nimport '../database/generated/client.ts';\n",
  'services/provisioning/src/keys/index.ts': "export * from './domain/key.ts';\n",
  'services/provisioning/src/keys/domain/key.ts':
    "import type { Transaction } from '@ostiary/service';\nimport 'jose';\n",
  'services/provisioning/src/keys/domain/key.test.ts':
    "import './key.ts';\nimport '../data/keys.ts';\nimport 'pg';\n",
  'services/provisioning/src/keys/data/keys.ts':
    "import '../domain/key.ts';\nimport '@ostiary/database';\nimport 'ioredis';\nimport '../../database/generated/client.ts';\n",
  'services/provisioning/src/keys/http/keys.ts': "import '../domain/key.ts';\nimport 'fastify';\n",
  'services/provisioning/src/tokens/index.ts': "export * from './domain/token.ts';\n",
  'services/provisioning/src/tokens/domain/token.ts': "import type { Key } from '../../keys/index.ts';\n",
  'services/provisioning/src/tokens/data/tokens.ts':
    "import '../../keys/data/keys.ts';\nimport '../../keys/index.ts';\n",
  'services/provisioning/src/tokens/http/routes.ts':
    "import '../../keys/index.ts';\nimport './pages.ts';\nimport '../domain/token.ts';\n",
  'services/provisioning/src/tokens/graph/tokens.ts': "import 'graphql';\n",
  'services/provisioning/src/tokens/jobs/tokens.ts': "import 'bullmq';\n",
  'services/provisioning/src/database/generated/client.ts': 'export const client = 0;\n',
  'services/auth/src/tenancy/index.ts': "export * from './users/domain/user.ts';\n",
  'services/auth/src/tenancy/users/domain/user.ts': 'export type User = 0;\n',
  'services/auth/src/tenancy/users/data/users.ts': "import '../domain/user.ts';\n",
  'services/auth/src/tenancy/module.ts': "import './users/data/users.ts';\nimport '../env.ts';\n",
  'services/auth/src/access/module.ts':
    "import '../tenancy/module.ts';\nimport '../tenancy/index.ts';\nimport './roles/data/roles.ts';\n",
  'services/auth/src/access/roles/data/roles.ts':
    "import '../../../tenancy/index.ts';\nimport '../../../tenancy/users/data/users.ts';\n",
  'services/provisioning/test/fixture.ts': "import '../src/keys/data/keys.ts';\n",
  'gateway/src/execution/graph/query-plan.ts': "import '@apollo/gateway';\n",
  'cli/src/commands/user.ts': "import 'node:fs';\nimport 'commander';\nimport '../session/session.ts';\n",
  'cli/src/session/session.ts': "import 'node:http';\n",
  'console/src/app/routes.ts': "import '../users/routes.ts';\nimport '../users/index.ts';\n",
  'console/src/users/users-page.tsx':
    "import '../graph/client.ts';\nimport '../groups/parts.tsx';\nimport 'react';\nimport './user-row.tsx';\n",
  'console/src/graph/client.ts': "import '@apollo/client';\n",
  'e2e/story.ts': "import '@ostiary/scim';\n",
};

let folder: string;
let trees = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ostiary-layers-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function treeOf(files: Readonly<Record<string, string>>): Promise<string> {
  const tree = join(folder, String(trees++));
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(tree, file)), { recursive: true });
    await writeFile(join(tree, file), text);
  }
  return tree;
}

const check = async (files: Readonly<Record<string, string>>): Promise<Violation[]> =>
  violationsIn(readSources(await treeOf(files)));

/** Runs the program of `npm run lint:layers`. */
async function program(files: Readonly<Record<string, string>>): Promise<{ code: number; found: unknown }> {
  const program = join(root, 'scripts', 'layers.ts');
  const outcome = await run(process.execPath, [program, '--json', '--root', await treeOf(files)], {
    env: { ...process.env, NODE_OPTIONS: '' },
  }).catch((error: { code: number; stdout: string; stderr: string }) => error);
  if (!outcome.stdout) throw new Error(outcome.stderr);
  return { code: 'code' in outcome ? outcome.code : 0, found: JSON.parse(outcome.stdout) };
}

test('A tree with permitted imports only has no violation.', async () => {
  expect(await check(innocent)).toEqual([]);
  expect(await program(innocent)).toEqual({ code: 0, found: [] });
});

test('The program fails on violations and prints all of them.', async () => {
  const files = new OffendingTree(offences).files((imported) => `import '${imported}';\n`);
  const found = await check(files);
  expect(found.length).toBeGreaterThan(30);
  expect(await program(files)).toEqual({ code: 1, found });
});

test('Every rule has an import here that violates it.', async () => {
  const { rules } = (await import('../../scripts/structure/rules.ts')) as {
    rules: readonly { name: string }[];
  };
  expect(Object.keys(offences).toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
});

/** Tree with all violations. Each has a separate file, or separate names in a file with a fixed path. */
class OffendingTree {
  readonly offences: readonly { rule: string; from: string; imported: string; file: string }[];

  constructor(offences: Offences) {
    const all = Object.entries(offences).flatMap(([rule, cases]) =>
      cases.map(([from, imported]) => ({ rule, from, imported })),
    );
    this.offences = all.map((offence, index) => ({
      ...offence,
      file: /\/(index|app|main|module)\.ts$|\/data\/keys\.ts$/.test(offence.from)
        ? offence.from
        : offence.from.replace(/\.ts$/, `-${index}.ts`),
    }));
  }

  files(statement: (imported: string) => string): Record<string, string> {
    const files: Record<string, string> = {};
    for (const [index, { file, imported }] of this.offences.entries()) {
      const text = statement(imported).replaceAll(/\b([uU]sed?)\b/g, `$1${index}`);
      files[file] = (files[file] ?? '') + text;
    }
    return files;
  }
}

describe.each(Object.entries(statements))('imports by %s', (_, statement) => {
  const tree = new OffendingTree(offences);
  let found: Violation[];

  beforeAll(async () => {
    found = await check(tree.files(statement));
  });

  test.each(tree.offences)(
    'The rule $rule finds that $from imports $imported against it.',
    ({ rule, file }) => {
      expect(found).toContainEqual(expect.objectContaining({ rule, from: file }));
    },
  );

  test('A cycle of files is found.', async () => {
    const cycle = await check({
      'services/provisioning/src/keys/domain/key.ts': statement('./purpose.ts'),
      'services/provisioning/src/keys/domain/purpose.ts': statement('./key.ts'),
    });
    expect(cycle).toEqual([
      expect.objectContaining({
        rule: 'no-cycles-between-files',
        from: 'services/provisioning/src/keys/domain/key.ts',
        to: 'services/provisioning/src/keys/domain/purpose.ts → services/provisioning/src/keys/domain/key.ts',
      }),
    ]);
  });

  test('A cycle of modules is found without a cycle of files.', async () => {
    const cycle = await check({
      'services/provisioning/src/keys/index.ts': 'export const key = 0;\n',
      'services/provisioning/src/keys/domain/rotation.ts': statement('../../tokens/index.ts'),
      'services/provisioning/src/tokens/index.ts': 'export const token = 0;\n',
      'services/provisioning/src/tokens/data/tokens.ts': statement('../../keys/index.ts'),
    });
    expect(cycle).toEqual([
      expect.objectContaining({
        rule: 'no-cycles-between-modules',
        from: 'services/provisioning/src/keys',
        to: 'services/provisioning/src/tokens → services/provisioning/src/keys',
      }),
    ]);
  });
});

test('A file in a folder that is not a layer is found.', async () => {
  const file = 'services/provisioning/src/keys/rotation/rotation.ts';
  expect(await check({ [file]: 'export const rotation = 0;\n' })).toEqual([
    expect.objectContaining({ rule: 'a-module-has-layers', from: file }),
  ]);
});

test('A file directly in a module is in the layer of its suffix, and without one in the domain.', async () => {
  const found = await check({
    'services/provisioning/src/keys/key.ts': "import './keys.data.ts';\n",
    'services/provisioning/src/keys/keys.data.ts': "import 'pg';\nimport './keys.http.ts';\n",
    'services/provisioning/src/keys/keys.http.ts': "import 'fastify';\nimport './key.ts';\n",
  });
  expect(found.map(({ rule, from }) => [rule, from])).toEqual([
    ['domain-imports-no-other-layer', 'services/provisioning/src/keys/key.ts'],
    ['data-imports-no-surface', 'services/provisioning/src/keys/keys.data.ts'],
    expect.arrayContaining(['no-cycles-between-files']),
  ]);
});

test('A module of the authorization server that is in no district is found.', async () => {
  expect(await check({ 'services/auth/src/keys/domain/key.ts': 'export const key = 0;\n' })).toEqual([
    expect.objectContaining({
      rule: 'a-module-is-in-a-district',
      from: 'services/auth/src/keys/domain/key.ts',
    }),
  ]);
});

describe('objects whose functions share variables', () => {
  const of = (body: string): string => `export function createCounter() {\n${body}\n}\n`;

  test.each([
    ['a variable', 'let count = 0;\nreturn { next: () => ++count };', 'count'],
    ['a map', 'const seen = new Map();\nreturn { see(id: string) { seen.set(id, 1); } };', 'seen'],
    ['a set', 'const seen = new Set<string>();\nreturn { see: (id: string) => void seen.add(id) };', 'seen'],
    ['a timer', 'const timer = setInterval(tick, 1);\nreturn { stop: () => clearInterval(timer) };', 'timer'],
    [
      'a variable of functions that it names',
      'let count = 0;\nfunction next() { return up(); }\nconst up = () => ++count;\nreturn { next };',
      'count',
    ],
    [
      'what only some ways to its end return',
      'let n = 0;\nif (n) return {};\nreturn { next: () => ++n } as Counter;',
      'n',
    ],
  ])('An object whose functions share %s is found.', async (_, body, state) => {
    expect(await check({ 'libs/graph/src/counter.ts': of(body) })).toEqual([
      {
        rule: 'state-is-kept-by-classes',
        because: expect.any(String),
        from: 'libs/graph/src/counter.ts',
        to: `createCounter: ${state}`,
        line: 1,
      },
    ]);
  });

  test('Such an object is found when an arrow function creates it, in any process.', async () => {
    const text = 'export const counter = () => {\n  let n = 0;\n  return { next: () => ++n };\n};\n';
    for (const file of ['gateway/src/counter.ts', 'services/provisioning/src/keys/domain/counter.ts']) {
      expect(await check({ [file]: text })).toMatchObject([{ from: file, to: 'counter: n' }]);
    }
  });

  test('An object is accepted when its functions share only constants or when it belongs to a class.', async () => {
    const innocent = {
      'libs/graph/src/wiring.ts': of('const log = open();\nreturn { write: (line: string) => log(line) };'),
      'libs/graph/src/plan.ts': of('let total = 0;\nfor (const n of all) total += n;\nreturn { total };'),
      'libs/graph/src/counter.ts':
        'export class Counter {\n  #n = 0;\n  next() {\n    return ++this.#n;\n  }\n}\n',
      'libs/graph/test/counter.ts': of('let count = 0;\nreturn { next: () => ++count };'),
    };
    expect(await check(innocent)).toEqual([]);
  });
});
