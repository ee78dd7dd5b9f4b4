/**
 * Creates a release: `npm run release -- 0.3.0` requires a clean work tree and a section in CHANGELOG.md, sets the
 * version everywhere, renders k8s/ (which needs Helm), builds, commits and tags `v0.3.0`. The workflow of the tag
 * publishes it (.github/workflows/release.yml).
 *
 *   node scripts/release.ts 0.3.0 --no-tag    without the tag
 *   node scripts/release.ts --notes v0.3.0    prints the section of CHANGELOG.md
 *   node scripts/release.ts --check v0.3.0    compares a tag with the version of this tree; exit code 1 if they differ
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { notesOf, precedes, semanticVersion } from './release/changelog.ts';
import { setVersions, versionsIn } from './release/versions.ts';

export interface ReleaseOptions {
  root: string;
  version: string;
  tag: boolean;
  build: () => void;
  say: (message: string) => void;
}

/** @throws Error that states the missing step; then nothing is changed */
export function release({ root, version, tag, build, say }: ReleaseOptions): void {
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();
  if (!semanticVersion.test(version)) throw new Error(`${version} is not a semantic version`);
  const current = manifestVersion(root);
  if (precedes(version, current))
    throw new Error(`${version} is older than the version of this tree, ${current}`);
  if (git('status', '--porcelain') !== '')
    throw new Error('there are uncommitted changes: commit them first');
  const notes = notesOf(changelogOf(root), version);
  if (tag && git('tag', '--list', `v${version}`) !== '')
    throw new Error(`the tag v${version} already exists`);
  setVersions(root, version);
  assertVersion(root, version);
  say(`Building ${version}`);
  build();
  if (git('status', '--porcelain') !== '') {
    git('add', '--all');
    git('commit', '--quiet', '--message', `release: set version ${version}`);
  }
  if (!tag) {
    say(`${version} is committed but not tagged`);
    return;
  }
  git(
    'tag',
    '--annotate',
    `v${version}`,
    '--cleanup=verbatim',
    '--message',
    `Ostiary ${version}\n\n${notes}`,
  );
  say(`Tagged v${version}. To publish it: git push origin v${version}`);
}

/** @throws Error that names the places with another version */
export function assertVersion(root: string, version: string): void {
  const others = versionsIn(root).filter((place) => place.version !== version);
  if (others.length === 0) return;
  const places = new Set(others.map((place) => `${place.file} (${place.version})`));
  throw new Error(`these files have a version other than ${version}: ${[...places].join(', ')}`);
}

const manifestVersion = (root: string): string =>
  (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }).version;

function changelogOf(root: string): string {
  const path = join(root, 'CHANGELOG.md');
  if (!existsSync(path)) throw new Error('there is no CHANGELOG.md');
  return readFileSync(path, 'utf8');
}

function main(): void {
  const root = join(import.meta.dirname, '..');
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      notes: { type: 'string' },
      check: { type: 'string' },
      'no-tag': { type: 'boolean', default: false },
    },
  });
  if (values.notes !== undefined) {
    process.stdout.write(`${notesOf(changelogOf(root), values.notes.replace(/^v/, ''))}\n`);
  } else if (values.check !== undefined) {
    assertVersion(root, values.check.replace(/^v/, ''));
    notesOf(changelogOf(root), values.check.replace(/^v/, ''));
  } else {
    const [version] = positionals;
    if (version === undefined) throw new Error('say which version: npm run release -- 0.3.0');
    const turbo = join(root, 'node_modules/.bin/turbo');
    const build = () => {
      // The manifests contain the version.
      execFileSync(process.execPath, ['scripts/kubernetes.ts'], { cwd: root, stdio: 'inherit' });
      execFileSync(turbo, ['run', 'build', '--output-logs=errors-only'], { cwd: root, stdio: 'inherit' });
    };
    const say = (message: string) => process.stdout.write(`${message}\n`);
    release({ root, version, tag: !values['no-tag'], build, say });
  }
}

if (import.meta.main) {
  try {
    main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
