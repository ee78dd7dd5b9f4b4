import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { notesOf, precedes, sectionsOf, semanticVersion } from '../../scripts/release/changelog.ts';
import { versionsIn } from '../../scripts/release/versions.ts';
import { assertVersion, release } from '../../scripts/release.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');

describe('the source tree', () => {
  test('Every package, program and chart has the same version.', () => {
    expect(versionsIn(root).length).toBeGreaterThan(40);
    expect(() => assertVersion(root, manifest.version)).not.toThrow();
  });

  test('CHANGELOG.md begins with the newest version, dated, which is that of the packages.', () => {
    const sections = sectionsOf(changelog);
    expect(sections[0]?.version).toBe(manifest.version);
    for (const [index, { version, date }] of sections.entries()) {
      expect(version).toMatch(semanticVersion);
      expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
      expect(notesOf(changelog, version)).not.toBe('');
      const next = sections[index + 1];
      if (next !== undefined)
        expect([next.version, precedes(next.version, version)]).toEqual([next.version, true]);
    }
  });

  test('CHANGELOG.md has only the sections of Keep a Changelog, and upgrade instructions.', () => {
    const kinds = [...changelog.matchAll(/^### (.+)$/gm)].map(([, kind]) => kind);
    const allowed = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security', 'Upgrading'];
    expect(kinds.filter((kind) => !allowed.includes(kind ?? ''))).toEqual([]);
    expect(notesOf(changelog, manifest.version)).toContain('### Upgrading');
  });
});

describe('versions', () => {
  test.each([
    ['0.1.0', '0.2.0'],
    ['0.9.0', '0.10.0'],
    ['1.0.0-rc.1', '1.0.0'],
    ['1.0.0-alpha', '1.0.0-alpha.1'],
    ['1.0.0-alpha.9', '1.0.0-alpha.10'],
    ['1.0.0-2', '1.0.0-alpha'],
  ])('The version %s precedes %s and not vice versa.', (older, newer) => {
    expect([precedes(older, newer), precedes(newer, older), precedes(older, older)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test.each(['1.0', 'v1.0.0', '01.0.0', '1.0.0-', '', '1.0.0; rm -rf /'])(
    'An invalid version (%s) is rejected.',
    (version) => expect(() => precedes(version, '1.0.0')).toThrow('is not a semantic version'),
  );
});

describe('creating a release', () => {
  let folder: string;
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  const section = '## [9.9.9] - 2030-01-02\n\n### Added\n\n- Something.\n\n';
  let built: string[];
  const cut = (version = '9.9.9', tag = true) =>
    release({
      root: folder,
      version,
      tag,
      build: () => built.push(manifestHere().version),
      say: () => undefined,
    });
  const manifestHere = () =>
    JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };

  beforeEach(() => {
    built = [];
    folder = mkdtempSync(join(tmpdir(), 'ostiary-release-'));
    const files = globSync(
      [
        ...['package.json', 'package-lock.json', '{chart,charts/*}/Chart.yaml'],
        ...['{gateway,cli,e2e,bench,console}/package.json', '{libs,services}/*/package.json'],
        '{libs/*,cli}/src/version.ts',
      ],
      { cwd: root },
    );
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      cpSync(join(root, file), join(folder, file));
    }
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog.replace('## [', `${section}## [`));
    git('init', '--quiet', '--initial-branch=main');
    git('config', 'user.name', 'Release');
    git('config', 'user.email', 'release@example.com');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'Begin');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('The version is set in every file, built, committed and tagged with its notes.', () => {
    cut();
    expect(built).toEqual(['9.9.9']);
    expect([...new Set(versionsIn(folder).map(({ version }) => version))]).toEqual(['9.9.9']);
    expect(git('status', '--porcelain')).toBe('');
    expect(git('rev-parse', 'v9.9.9^{commit}')).toBe(git('rev-parse', 'HEAD'));
    expect(git('cat-file', '-t', 'v9.9.9')).toBe('tag');
    expect(git('for-each-ref', '--format=%(contents)', 'refs/tags/v9.9.9')).toContain(
      '### Added\n\n- Something.',
    );
  });

  test('A file with the version is changed only in that line.', () => {
    cut();
    for (const file of git('diff', '--name-only', 'HEAD~1').split('\n')) {
      const before = git('show', `HEAD~1:${file}`);
      const after = git('show', `HEAD:${file}`);
      expect([file, after]).toEqual([file, versionReplaced(before)]);
    }
  });

  /** Removes lines with our version. No other package has a dependency with that name. */
  const versionReplaced = (text: string): string => {
    const lines = text.split('\n');
    const own = manifest.version.replaceAll('.', '\\.');
    return lines
      .map((line, index) => {
        const isOwn =
          /"@ostiary\/|[vV]ersion: |const version/.test(line) ||
          (line.includes('"version"') && /"name": "(@ostiary\/|ostiary")/.test(lines[index - 1] ?? ''));
        return isOwn ? line.replace(new RegExp(own), '9.9.9') : line;
      })
      .join('\n');
  };

  test('With uncommitted changes no release is created.', () => {
    writeFileSync(join(folder, 'new'), '');
    expect(() => cut()).toThrow('uncommitted changes');
    expect([built, manifestHere().version, git('tag')]).toEqual([[], manifest.version, '']);
  });

  test.each([
    ['no section', ''],
    ['no date', '## [9.9.9]\n\n- Something.\n\n'],
    ['no word', '## [9.9.9] - 2030-01-02\n\n'],
  ])('With %s about it in CHANGELOG.md no release is created.', (_what, text) => {
    writeFileSync(join(folder, 'CHANGELOG.md'), changelog.replace('## [', `${text}## [`));
    git('commit', '--quiet', '--all', '--message', 'Changelog', '--allow-empty');
    expect(() => cut()).toThrow('CHANGELOG.md');
    expect([built, manifestHere().version, git('tag')]).toEqual([[], manifest.version, '']);
  });

  test('An older version and one that was tagged are rejected.', () => {
    expect(() => cut('0.0.9')).toThrow('is older than');
    cut();
    expect(() => cut()).toThrow('already exists');
  });

  test('A version that was committed without its tag is tagged later.', () => {
    cut('9.9.9', false);
    const head = git('rev-parse', 'HEAD');
    expect(git('tag')).toBe('');
    cut();
    expect([git('rev-parse', 'HEAD'), git('tag')]).toEqual([head, 'v9.9.9']);
  });

  test('A package with another version is named.', () => {
    const path = join(folder, 'gateway/package.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(/"version": "[^"]+"/, '"version": "0.0.1"'));
    expect(() => assertVersion(folder, manifest.version)).toThrow('gateway/package.json (0.0.1)');
  });
});
