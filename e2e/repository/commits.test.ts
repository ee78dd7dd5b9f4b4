import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';

const root = resolve(import.meta.dirname, '../..');
const modules = { rule: 'scripts/hooks/message-rule.mjs', history: 'scripts/hooks/history.mjs' };
const imported = (path: string) => import(pathToFileURL(join(root, path)).href);
const { messageProblems } = (await imported(modules.rule)) as {
  messageProblems(message: string, o?: { draft?: boolean }): string[];
};
const { checkedCommits } = (await imported(modules.history)) as {
  checkedCommits(
    root: string,
    env?: NodeJS.ProcessEnv,
  ): { commits?: { id: string; parents: string[]; message: string }[]; skipped?: string };
};

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A hook that runs this test sets GIT_ variables of the outer repository. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_')));

/** Creates a repository with the hooks of this one. */
function repository() {
  const folder = mkdtempSync(join(tmpdir(), 'ostiary-commits-'));
  folders.push(folder);
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', env, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Contributor');
  git('config', 'user.email', 'contributor@example.com');
  git('commit', '--quiet', '--allow-empty', '--message', 'A message from before the rule');
  mkdirSync(join(folder, 'scripts'));
  cpSync(join(root, 'scripts/hooks'), join(folder, 'scripts/hooks'), { recursive: true });
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', scripts: { prepare: scripts.prepare } }),
  );
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Add the hook');
  return { folder, git };
}

const prepare = (folder: string) =>
  spawnSync('npm', ['run', 'prepare'], { cwd: folder, encoding: 'utf8', env });

describe('a commit message', () => {
  test.each([
    'auth: report offboarding of users not yet projected',
    'e2e/graph: add a test\n\nIt covers the query of a rival tenant.',
    'auth, gateway: pass the request id',
    'docs: embed the diagram\n\n- https://example.com/a/very/long/address/that/cannot/be/wrapped/anywhere/at/all',
    'ci: need one job less\n\nCo-authored-by: A contributor with a long name <contributor@subdomain.example.com>',
    `auth: ${'a'.repeat(66)}`,
    'auth: fix the rotation\n\n# Please enter the commit message for your changes. Lines starting with a hash are ignored.',
    `auth: fix the rotation\n# ------------------------ >8 ------------------------\ndiff ${'x '.repeat(80)}`,
  ])('The message %j is accepted.', (message) => {
    expect(messageProblems(message)).toEqual([]);
  });

  test.each([
    ['', 'form'],
    ['Report offboarding', 'form'],
    ['Auth: report offboarding', 'form'],
    ['auth: Report offboarding', 'lower-case verb'],
    ['auth: reports offboarding', 'imperative'],
    ['auth: reported offboarding', 'imperative'],
    ['auth: reporting offboarding', 'imperative'],
    ['auth: report offboarding.', 'period'],
    [`auth: ${'a'.repeat(67)}`, '73 characters'],
    ["Merge branch 'main' into work", 'rebase'],
    ['auth: report offboarding\nof users', 'second line'],
    [`auth: report offboarding\n\n${'word '.repeat(15)}`, 'Line 3 has 74 characters'],
    ['fixup! auth: report offboarding', 'form'],
  ])('The message %j is rejected.', (message, problem) => {
    expect(messageProblems(message)).toEqual([expect.stringContaining(problem)]);
  });

  test('A commit that a rebase folds into another one passes the hook.', () => {
    for (const prefix of ['fixup', 'squash', 'amend'])
      expect(messageProblems(`${prefix}! auth: report offboarding`, { draft: true })).toEqual([]);
  });
});

describe('the hook', () => {
  const { folder, git } = repository();
  const commit = (message: string) =>
    spawnSync('git', ['commit', '--allow-empty', '--message', message], {
      cwd: folder,
      encoding: 'utf8',
      env,
    });

  test('The script prepare installs the hook, which rejects a bad message and accepts a good one.', () => {
    expect(prepare(folder).status).toBe(0);
    expect(git('config', '--local', '--get', 'core.hooksPath').trim()).toBe('scripts/hooks');
    const rejected = commit('Merge branch');
    expect([rejected.status, rejected.stderr]).toEqual([
      1,
      expect.stringContaining('rebase instead of merging'),
    ]);
    expect(commit('auth: report offboarding').status).toBe(0);
  });

  test('The script prepare keeps hooks that the user has configured.', () => {
    git('config', '--local', 'core.hooksPath', 'elsewhere');
    expect(prepare(folder).status).toBe(0);
    expect(git('config', '--local', '--get', 'core.hooksPath').trim()).toBe('elsewhere');
  });

  test.each([
    ['without the scripts', (copy: string) => rmSync(join(copy, 'scripts'), { recursive: true })],
    ['without a repository', (copy: string) => rmSync(join(copy, '.git'), { recursive: true })],
  ])('The script prepare succeeds %s.', (_what, remove) => {
    const copy = repository().folder;
    remove(copy);
    expect(prepare(copy).status).toBe(0);
  });
});

describe('the checked history', () => {
  test('The history begins after the commit that adds the hook, and includes each later commit.', () => {
    const { folder, git } = repository();
    expect(checkedCommits(folder, env)).toEqual({ commits: [] });
    git('commit', '--quiet', '--allow-empty', '--message', 'One');
    git('commit', '--quiet', '--allow-empty', '--message', 'Two\n\nWith a body.');
    const { commits = [] } = checkedCommits(folder, env);
    expect(commits.map(({ message }) => message.trim())).toEqual(['Two\n\nWith a body.', 'One']);
    expect(commits.map(({ parents }) => parents.length)).toEqual([1, 1]);
  });

  test('Of a merged pull request that GitHub has checked out, only its own commits are read.', () => {
    const { folder, git } = repository();
    git('switch', '--quiet', '--create', 'request');
    git('commit', '--quiet', '--allow-empty', '--message', 'One');
    git('switch', '--quiet', 'main');
    git('merge', '--quiet', '--no-ff', '--message', 'Merge 1 into 2', 'request');
    const subjects = (event: string) =>
      checkedCommits(folder, { ...env, GITHUB_EVENT_NAME: event })
        .commits?.map(({ message }) => message.trim())
        .sort();
    expect(subjects('pull_request')).toEqual(['One']);
    expect(subjects('push')).toEqual(['Merge 1 into 2', 'One']);
  });

  test('A source archive without a repository has no history to check.', () => {
    const { folder } = repository();
    rmSync(join(folder, '.git'), { recursive: true });
    expect(checkedCommits(folder, env).skipped).toBe('there is no git repository');
  });
});

const { commits, skipped } = checkedCommits(root);
if (skipped !== undefined) recordSkip(skipped);
const testHistory = commits === undefined ? test.skip : test;

testHistory('Each commit since the hook exists has one parent and a message that follows the rule.', () => {
  const problems = (commits ?? []).flatMap(({ id, parents, message }) => [
    ...(parents.length > 1 ? [`${id.slice(0, 12)} is a merge commit.`] : []),
    ...messageProblems(message).map((problem) => `${id.slice(0, 12)} ${message.split('\n')[0]}: ${problem}`),
  ]);
  expect(problems).toEqual([]);
});
