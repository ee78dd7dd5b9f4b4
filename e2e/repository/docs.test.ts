import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { Kind, parse, print } from 'graphql';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

test('The page docs/reference/configuration.md matches the typed environment.', () => {
  execFileSync(process.execPath, [join(root, 'scripts/configuration.ts'), '--check'], { stdio: 'pipe' });
});

test('The page docs/reference/log-events.md lists every log event, and every log entry names its event.', () => {
  execFileSync(process.execPath, [join(root, 'scripts/log-events.ts'), '--check'], { stdio: 'pipe' });
});

test('The page docs/reference/metrics.md lists every metric that the sources declare, with its labels.', () => {
  execFileSync(process.execPath, [join(root, 'scripts/metrics.ts'), '--check'], { stdio: 'pipe' });
});

test('The documentation names only metrics that the sources declare.', () => {
  const declared = new Set(
    [...read('docs/reference/metrics.md').matchAll(/^\| `(\w+)/gm)].map(([, name]) => name),
  );
  const [, described = ''] =
    /^## Metrics\n(.*?)^\| `outcome` /ms.exec(read('docs/reference/health-and-metrics.md')) ?? [];
  const rows = [...described.matchAll(/^\| `(\w+_\w+)` \|/gm)].map(([, name]) => name);
  expect(rows.length).toBeGreaterThan(10);
  const current = pages.filter((page) => page !== 'CHANGELOG.md');
  const named = current.flatMap((page) =>
    [
      ...read(page)
        .replaceAll(/```sql[\s\S]*?```/g, '')
        .matchAll(/\b(?!nodejs_|process_(?:cpu|start)_)[a-z]+(?:_[a-z0-9]+)*_(?:total|seconds)\b/g),
    ].map(([name]) => name),
  );
  expect(named.length).toBeGreaterThan(60);
  expect([...rows, ...named].filter((name) => !declared.has(name))).toEqual([]);
});

test('The file package-lock.json has the binaries of every platform, so that npm ci works on each.', () => {
  execFileSync(process.execPath, [join(root, 'scripts/complete-lockfile.mjs'), '--check'], { stdio: 'pipe' });
});

test('Every direct dependency is pinned and has its reason in docs/reference/dependencies.md.', () => {
  const page = read('docs/reference/dependencies.md');
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

const pages = globSync(
  ['*.md', 'docs/**/*.md', '{libs,services}/**/README.md', '{gateway,cli,console}/**/README.md'],
  { cwd: root, exclude: ['**/node_modules'] },
);

/** Returns the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/`|\*/g, '')
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading]) => anchorOf(heading ?? ''));

test.each(pages)('Every link of %s leads to a file and a heading that exist.', (page) => {
  const outsideCode = read(page).replaceAll(/^```[\s\S]*?^```$/gm, '');
  for (const [, target = '', anchor] of outsideCode.matchAll(
    /\]\((?!https?:|mailto:)([^)#]*)(?:#([^)]*))?\)/g,
  )) {
    const path = target === '' ? page : join(page, '..', target);
    expect({ page, target, exists: existsSync(join(root, path)) }).toEqual({ page, target, exists: true });
    if (anchor !== undefined && path.endsWith('.md')) {
      expect({ page, target, anchor, exists: anchorsOf(path).includes(anchor) }).toMatchObject({
        exists: true,
      });
    }
  }
});

test.each(pages)('Every path of the repository that %s names exists.', (page) => {
  const folders = 'services|libs|gateway|cli|console|e2e|scripts|bench|k8s|chart|deploy|docs';
  const paths = [...read(page).matchAll(new RegExp(`\`((?:${folders})/[^\`\\s<>…]*)\``, 'g'))];
  const missing = paths.filter(([, path = '']) => globSync(path, { cwd: root }).length === 0);
  expect(missing.map(([, path]) => path)).toEqual([]);
});

describe('the README of a package', () => {
  const packages = globSync('{libs/*,services/*,gateway,cli,console}/package.json', { cwd: root }).map(
    dirname,
  );
  const layers = ['domain', 'data', 'http', 'graph', 'jobs'];
  const foldersIn = (path: string): string[] =>
    readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    );

  /** Returns the folders of `src`; where folders are divided into modules (`districts`), with these. */
  const foldersOf = (name: string, districts: boolean): string[] =>
    foldersIn(`${name}/src`).flatMap((folder) => {
      const within = districts
        ? foldersIn(`${name}/src/${folder}`).filter((each) => !layers.includes(each))
        : [];
      return [folder, ...within.map((module) => `${folder}/${module}`)];
    });

  const spansIn = (cell = ''): string[] =>
    [...cell.matchAll(/`(?:src\/)?([\w-]+)\/?`/g)].map(([, folder = '']) => folder);

  /** Returns the folders that the tables of folders and modules name. */
  function foldersNamed(readme: string): string[] {
    let header = '';
    let district = '';
    return readme.split('\n').flatMap((line, index, lines) => {
      const cells = line.split('|').map((cell) => cell.trim());
      const isHeader = lines[index + 1]?.startsWith('|---');
      if (isHeader) header = cells[1] ?? '';
      if (isHeader || !line.startsWith('|') || !/^(folder|module|path|district)\b/.test(header)) return [];
      const own = spansIn(cells[1]);
      if (header !== 'district') return own;
      district = own[0] ?? district;
      return [...own, ...spansIn(cells[2]).map((module) => `${district}/${module}`)];
    });
  }

  test.each(packages)('The tables of %s/README.md name exactly the folders of its sources.', (name) => {
    const readme = read(`${name}/README.md`);
    const anywhere = [...readme.matchAll(/`src\/([\w-]+)[/`]/g)].map(([, folder = '']) => folder);
    const named = new Set([...foldersNamed(readme), ...anywhere]);
    expect([...named].toSorted()).toEqual(foldersOf(name, readme.includes('| district |')).toSorted());
  });

  test.each(packages)('Every source file that %s/README.md names exists.', (name) => {
    const files = [...read(`${name}/README.md`).matchAll(/`([\w./*-]+\.(?:tsx?|mjs|graphql|jsonl))`/g)];
    const missing = files.filter(
      ([, file = '']) =>
        globSync([`${name}/${file}`, `${name}/src/**/${file}`, file], { cwd: root }).length === 0 &&
        globSync(`${name}/test/**/${file}`, { cwd: root }).length === 0,
    );
    expect(missing.map(([, file]) => file)).toEqual([]);
  });
});

test('Nothing is stated twice: no two pages have a dozen words in a row in common.', () => {
  const runs = new Map<string, string>();
  const twice: { words: string; pages: [string, string] }[] = [];
  for (const page of pages) {
    const prose = read(page)
      .replaceAll(/```[\s\S]*?```/g, '')
      .replaceAll(/\]\([^)]*\)/g, ']');
    const words = prose.toLowerCase().match(/[\p{L}\p{N}'`_]+/gu) ?? [];
    for (let index = 0; index + 12 <= words.length; index++) {
      const run = words.slice(index, index + 12).join(' ');
      const elsewhere = runs.get(run) ?? page;
      runs.set(run, elsewhere);
      if (elsewhere !== page) twice.push({ words: run, pages: [elsewhere, page] });
    }
  }
  expect(twice).toEqual([]);
});

describe('the comparison in README.md', () => {
  const rowsOf = (text: string): string[][] =>
    [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row = '']) => row.split(' | ')).slice(1);
  const section = (page: string, heading: string): string =>
    read(page).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const page = 'docs/reference/comparison.md';
  const rows = rowsOf(section('README.md', 'Comparison'));
  const linked = /\]\(https:\/\//;

  test.each(rows.map((row) => [row[0] ?? '', row] as const))(
    'The row %s leads to its sources, and its cell about Ostiary to a page that supports it.',
    (label, [, ostiary = '']) => {
      expect(label).toMatch(/^\[[^\]]+\]\(docs\/reference\/comparison\.md#[\w-]+\)$/);
      expect(ostiary).toMatch(/\]\((?:docs\/|LICENSE|#)/);
    },
  );

  test('The page about the sources has one for each cell about another product.', () => {
    expect(rows.length).toBeGreaterThan(5);
    const products = ['Keycloak', 'Zitadel', 'Logto', 'Ory'];
    const others = rowsOf(section(page, 'Other rows'));
    for (const [label = ''] of rows) {
      const [, name = '', anchor] = /^\[(.+)\]\(.*#(.+)\)$/.exec(label) ?? [];
      if (anchor === 'other-rows') {
        const cells = others.find(([first]) => first === name)?.slice(1) ?? [];
        expect([name, cells.length, cells.filter((cell) => !linked.test(cell))]).toEqual([
          name,
          products.length,
          [],
        ]);
      } else {
        const heading = [...read(page).matchAll(/^## (.+)$/gm)].find(
          ([, text = '']) => anchorOf(text) === anchor,
        );
        const sources = rowsOf(section(page, heading?.[1] ?? '')).filter((cells) =>
          linked.test(cells.at(-1) ?? ''),
        );
        const missing = products.filter(
          (product) => !sources.some(([first = '']) => first.startsWith(product)),
        );
        expect([name, missing]).toEqual([name, []]);
      }
    }
  });
});

test('A concept has at most 1,500 words.', () => {
  const concepts = pages.filter((page) => page.startsWith('docs/concepts/'));
  expect(concepts.length).toBeGreaterThan(9);
  const long = concepts.map((page) => [page, read(page).split(/\s+/).length] as const);
  expect(long.filter(([, words]) => words > 1500)).toEqual([]);
});

test('A section of docs/reference/benchmarks.md has at most one paragraph beside its tables.', () => {
  const sections = read('docs/reference/benchmarks.md').split(/^## /m).slice(1);
  expect(sections.length).toBeGreaterThan(15);
  for (const [heading = '', ...parts] of sections.map((section) => section.trim().split(/\n{2,}/))) {
    const paragraphs = parts.filter((part) => !/^[|-] ?/.test(part));
    expect([heading, paragraphs.length <= 1]).toEqual([heading, true]);
  }
});

test('Every page of the documentation is in its index.', () => {
  const index = read('docs/README.md');
  const listed = [...index.matchAll(/\]\(([^)#:]+\.md)\)/g)]
    .map(([, target = '']) => join('docs', target))
    .filter((page) => page.startsWith('docs/'));
  const written = pages.filter((page) => page.startsWith('docs/') && page !== 'docs/README.md');
  expect(listed.toSorted()).toEqual(written.toSorted());
});

test('Pages of the documentation that code, settings and tests mention exist.', () => {
  const sources = globSync(
    [
      '{libs,services}/*/{src,test,prisma}/**/*.{ts,graphql,prisma,sql}',
      'gateway/{src,test}/**/*.ts',
      '{e2e,bench,scripts}/**/*.{ts,mjs}',
      '{deploy,k8s}/**/*.{yaml,yml}',
      'docs/**/*.{yaml,mjs,json}',
      '*.{yml,json,mjs}',
      'Dockerfile',
    ],
    { cwd: root, exclude: ['**/node_modules', '**/generated', '**/dist'] },
  );
  for (const source of sources) {
    for (const [, page = ''] of read(source).matchAll(/(?<![\w.-])(docs\/[\w/.-]+\.md)\b/g)) {
      expect({ source, page, exists: existsSync(join(root, page)) }).toMatchObject({ exists: true });
    }
  }
});

describe('The delegation table of docs/concepts/administration-and-delegation.md', () => {
  const section =
    /^## Delegation\n(.*?)^## /ms.exec(read('docs/concepts/administration-and-delegation.md'))?.[1] ?? '';
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

  test('Each mutation that confers something is in exactly one row of the table, and no other mutation is.', () => {
    const conferring = mutations.filter(({ rights }) => rights !== undefined).map(({ name }) => name);
    expect(conferring.length).toBeGreaterThan(20);
    expect(rows.flat().toSorted()).toEqual(conferring.toSorted());
  });

  test('Mutations that confer the same are in one row.', () => {
    for (const [rights, same] of Map.groupBy(mutations, (mutation) => mutation.rights)) {
      if (rights === undefined) continue;
      const theirs = rows.filter((row) => same.some(({ name }) => row.includes(name)));
      expect([rights, theirs.length]).toEqual([rights, 1]);
    }
  });

  test('Each mutation that only requires a recent sign-in is named beside the table.', () => {
    const careful = mutations.filter(({ rights, recentSignIn }) => rights === undefined && recentSignIn);
    const beside = named(section.replaceAll(/^\|.*$/gm, ''));
    expect(beside).toEqual(expect.arrayContaining(careful.map(({ name }) => name)));
  });
});
