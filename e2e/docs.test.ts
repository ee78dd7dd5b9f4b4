import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('..', import.meta.url));
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
