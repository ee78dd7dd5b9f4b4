import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { Kind, parse, print } from 'graphql';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('docs/configuration.md is what the typed environment says', () => {
  execFileSync(process.execPath, [join(root, 'scripts/configuration.ts'), '--check'], { stdio: 'pipe' });
});

test('package-lock.json holds the binaries of every platform, so that npm ci works on each', () => {
  execFileSync(process.execPath, [join(root, 'scripts/complete-lockfile.mjs'), '--check'], { stdio: 'pipe' });
});

test('every direct dependency is pinned and has its reason in docs/dependencies.md', () => {
  const page = read('docs/dependencies.md');
  const explained = new Set(
    page
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .flatMap((line) => {
        const names = (line.split('|')[1] ?? '').split(',').map((name) => name.trim());
        const scope = /^@opentelemetry\//.exec(names[0] ?? '')?.[0] ?? '';
        return names.flatMap((name) => [name, `${scope}${name}`]);
      }),
  );
  const manifests = [
    'package.json',
    ...globSync(
      [
        'libs/*/package.json',
        'services/*/package.json',
        'gateway/package.json',
        'e2e/package.json',
        'bench/package.json',
      ],
      { cwd: root },
    ),
  ];
  for (const manifest of manifests) {
    const { dependencies, devDependencies } = JSON.parse(read(manifest)) as Record<
      string,
      Record<string, string> | undefined
    >;
    for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
      if (name.startsWith('@ostiary/')) continue;
      expect({ name, explained: explained.has(name) }).toEqual({ name, explained: true });
      expect({ name, version, pinned: /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version) }).toMatchObject({
        pinned: true,
      });
    }
  }
});

test('links between the documents lead somewhere', () => {
  for (const page of globSync(
    ['*.md', 'docs/*.md', 'libs/*/README.md', 'services/*/README.md', 'gateway/README.md'],
    { cwd: root },
  )) {
    for (const [, target] of read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)) {
      const path = join(root, page, '..', target ?? '');
      expect({ page, target, exists: existsSync(path) }).toEqual({ page, target, exists: true });
    }
  }
});

describe('docs/security.md, of what confers something', () => {
  const section =
    /^## Nobody gives more than they hold\n(.*?)^## /ms.exec(read('docs/security.md'))?.[1] ?? '';
  const mutations = globSync('services/*/src/**/*.graphql', { cwd: root }).flatMap((path) =>
    parse(read(path)).definitions.flatMap((definition) =>
      (definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.OBJECT_TYPE_EXTENSION) &&
      definition.name.value === 'Mutation'
        ? (definition.fields ?? []).map((field) => {
            const said = field.directives?.find(({ name }) => name.value === 'confers');
            const of = (name: string) =>
              said?.arguments?.find((argument) => argument.name.value === name)?.value;
            const rights = of('rights');
            return {
              name: field.name.value,
              rights: rights ? print(rights) : undefined,
              recentSignIn: of('recentSignIn') !== undefined,
            };
          })
        : [],
    ),
  );
  const named = (text: string): string[] => {
    const names = [...text.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? '');
    return names.filter((name) => mutations.some((mutation) => mutation.name === name));
  };
  const rows = [...section.matchAll(/^\| ([^|]+) \| [^|]+ \|$/gm)].map(([, operations]) =>
    named(operations ?? ''),
  );

  test('each mutation that does is in one row of its table, and no other', () => {
    const conferring = mutations.filter(({ rights }) => rights !== undefined).map(({ name }) => name);
    expect(conferring.length).toBeGreaterThan(20);
    expect(rows.flat().toSorted()).toEqual(conferring.toSorted());
  });

  test('mutations that confer the same are in one row', () => {
    for (const [rights, same] of Map.groupBy(mutations, (mutation) => mutation.rights)) {
      if (rights === undefined) continue;
      const theirs = rows.filter((row) => same.some(({ name }) => row.includes(name)));
      expect([rights, theirs.length]).toEqual([rights, 1]);
    }
  });

  test('each that only takes a recent sign-in is named beside it', () => {
    const careful = mutations.filter(({ rights, recentSignIn }) => rights === undefined && recentSignIn);
    const beside = named(section.replaceAll(/^\|.*$/gm, ''));
    expect(beside).toEqual(expect.arrayContaining(careful.map(({ name }) => name)));
  });
});
