import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** Built release. */
export interface Release {
  version: string;
  commit: string;
  /** Folder of the release. */
  root: string;
}

export class NoPreviousRelease extends Error {}

const repository = resolve(import.meta.dirname, '..', '..', '..');
/** The newest release without a tag. */
const untagged = { version: '0.2.0', commit: '3cf9995e' };
const pattern = /^v(\d+)\.(\d+)\.(\d+)$/;

const git = async (...args: string[]): Promise<string> =>
  (await promisify(execFile)('git', ['-C', repository, ...args], { maxBuffer: 2 ** 26 })).stdout.trim();

/**
 * Returns the newest release before this one, from the history of the repository, built once under `.ostiary/releases`.
 * @param from tag of another release, such as `v0.2.0`
 * @throws NoPreviousRelease if the history is missing, as in a shallow clone
 */
export async function previousRelease(log: (line: string) => void, from?: string): Promise<Release> {
  const { version, commit } = await chosen(from);
  const root = join(repository, '.ostiary', 'releases', `${version}-${commit.slice(0, 12)}`);
  const mark = join(root, '.ostiary-built');
  if (!existsSync(mark)) {
    log(`building ${version} (${commit.slice(0, 12)}) in ${root}`);
    await rm(root, { recursive: true, force: true });
    await mkdir(root, { recursive: true });
    await run(
      'sh',
      ['-c', `git -C "$0" archive "$1" | tar -x -C "$2"`, repository, commit, root],
      repository,
    );
    await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'], root);
    // Cached outputs may be of another release.
    const flags = ['--no-update-notifier', '--force', '--no-cache', '--output-logs=errors-only'];
    await run(join(root, 'node_modules', '.bin', 'turbo'), ['run', 'build', ...flags], root);
    await writeFile(mark, commit);
  }
  // Programs compare their own path with `process.argv[1]`, so symbolic links must be resolved.
  return { version, commit, root: await realpath(root) };
}

export interface Tagged {
  tag: string;
  commit: string;
}

/**
 * Returns the newest release before this tree. The packages have the version of the previous release until the next one
 * is created, so a tag with the same version counts, except on this commit.
 */
export function releaseBefore(tags: readonly Tagged[], own: string, head: string): Tagged | undefined {
  return tags
    .filter(({ tag, commit }) => pattern.test(tag) && commit !== head && !isBefore(`v${own}`, tag))
    .toSorted((one, other) => (isBefore(one.tag, other.tag) ? 1 : -1))[0];
}

const commitOf = (name: string): Promise<string> =>
  git('rev-parse', '--verify', '--end-of-options', `${name}^{commit}`);

async function chosen(from?: string): Promise<{ version: string; commit: string }> {
  const own = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as { version: string };
  const names = await git('tag', '--merged', 'HEAD').catch(() => {
    throw new NoPreviousRelease('there is no history here: this is no clone of the repository');
  });
  if (from !== undefined) {
    if (!pattern.test(from)) throw new Error(`${from} is no tag of a release`);
    const isUntagged = from === `v${untagged.version}` && !names.split('\n').includes(from);
    return { version: from.slice(1), commit: await commitOf(isUntagged ? untagged.commit : from) };
  }
  const tags = await Promise.all(
    names
      .split('\n')
      .filter((name) => pattern.test(name))
      .map(async (tag) => ({ tag, commit: await commitOf(tag) })),
  );
  const before = releaseBefore(tags, own.version, await commitOf('HEAD'));
  if (before !== undefined) return { version: before.tag.slice(1), commit: before.commit };
  const commit = await commitOf(untagged.commit).catch(() => {
    throw new NoPreviousRelease(`the history of ${untagged.version} is not here: clone with its whole depth`);
  });
  return { version: untagged.version, commit };
}

export function isBefore(one: string, other: string): boolean {
  const [a = [], b = []] = [one, other].map((tag) => pattern.exec(tag)?.slice(1).map(Number));
  const differing = a.findIndex((part, index) => part !== b[index]);
  return differing >= 0 && (a[differing] ?? 0) < (b[differing] ?? 0);
}

async function run(program: string, args: readonly string[], cwd: string): Promise<void> {
  // Settings of the outer npm or turbo must not apply.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(npm_|TURBO_|INIT_CWD$|NODE_ENV$)/.test(name)),
  );
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4_000);
    });
  }
  const code = await new Promise<number | null>((done, failed) => {
    child.once('error', failed);
    child.once('close', done);
  });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${output}`);
}
