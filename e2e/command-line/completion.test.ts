import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { recordSkip } from '@ostiary/service/testing';
import { newHome, ostiary } from './command-line.ts';

type Shell = 'bash' | 'zsh' | 'fish';

const folder = newHome();
const scripts: Record<string, string> = {};

beforeAll(async () => {
  for (const name of ['fig.json', 'a file.json']) writeFileSync(join(folder, name), '');
  for (const shell of ['bash', 'zsh', 'fish'])
    scripts[shell] = (await ostiary(['completion', shell], {})).stdout;
});

function run(shell: Shell, args: readonly string[], words: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(shell, [...args, ...words], { encoding: 'utf8', cwd: folder });
  expect(stderr).toBe('');
  return stdout.trim().split('\n');
}

/** Returns the completions of the last word in each shell. */
const complete: Record<Shell, (...words: string[]) => string[]> = {
  bash: (...words) => {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a bash expression
    const asked = 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ostiary; printf "%s\\n" "${COMPREPLY[@]}"';
    return run('bash', ['--norc', '-c', `${scripts.bash}\n${asked}`, '-'], words);
  },
  // zsh itself drops candidates that do not begin with the word.
  zsh: (...words) => {
    const setUp = 'compdef() { : }; compadd() { shift; print -l -- "$@" }; _files() { print -l -- *(N) }';
    const found = run(
      'zsh',
      ['-f', '-c', `${setUp}\n${scripts.zsh}\nwords=("$@"); CURRENT=$#; _ostiary`, '-'],
      words,
    );
    const matching = found.filter((word) => word.startsWith(words.at(-1) ?? ''));
    return matching.length > 0 ? matching : [''];
  },
  fish: (...words) => {
    const line = words.map((word) => word.replace(' ', '\\ ')).join(' ');
    return run('fish', ['--no-config', '-c', `${scripts.fish}\ncomplete -C ${JSON.stringify(line)}`], []);
  },
};

for (const shell of ['bash', 'zsh', 'fish'] as const) {
  const isThere = spawnSync(shell, ['--version']).status === 0;
  if (!isThere) recordSkip(`${shell} is missing (apt: ${shell})`);
  const sorted = (...words: string[]): string[] => complete[shell](...words).sort();

  (isThere ? describe : describe.skip)(`Completion in ${shell}`, () => {
    test('Commands are completed, and so are options after them and after their arguments.', () => {
      expect(sorted('ostiary', 'te')).toEqual(['tenant']);
      expect(sorted('ostiary', 'user', '')).toEqual(
        expect.arrayContaining(['find', 'doors', 'offboard', '--json']),
      );
      expect(sorted('ostiary', '--json', 'user', 'offboard', '--de')).toEqual(['--delete']);
      expect(sorted('ostiary', 'client', 'show', 'Portal', '--js')).toEqual(['--json']);
      expect(sorted('ostiary', 'help', 'user', 'of')).toEqual(['offboard']);
      expect(sorted('ostiary', 'api', 'ro')).toEqual(['roles']);
      expect(sorted('ostiary', 'api', 'roles', 'un')).toEqual(['unassign']);
      expect(sorted('ostiary', 'api', 'roles', 'assign', 'Orders', 'approver', '--ma')).toEqual([
        '--managed-by-sources',
      ]);
      expect(sorted('ostiary', 'help', 'api', 'roles', 'ho')).toEqual(['holders']);
    });

    test('The value of an option is not read as a command.', () => {
      expect(sorted('ostiary', '--tenant', 'acme', 'user', 'off')).toEqual(['offboard']);
      expect(sorted('ostiary', 'user', '--profile', 'user', 'off')).toEqual(['offboard']);
    });

    test('The permitted values of an option are completed, and other options have no completions.', () => {
      expect(sorted('ostiary', 'client', 'create', 'X', '--kind', 'm')).toEqual(['machine', 'mcp']);
      expect(sorted('ostiary', 'api', 'create', 'X', '--format', 'o')).toEqual(['opaque']);
      expect(sorted('ostiary', 'completion', 'ba')).toEqual(['bash']);
      expect(sorted('ostiary', '--tenant', '')).toEqual(['']);
    });

    test('Files are completed only where an argument is a file.', () => {
      expect(sorted('ostiary', 'diff', 'f')).toEqual(['fig.json']);
      expect(sorted('ostiary', 'apply', 'a')).toEqual(['a file.json']);
      expect(sorted('ostiary', 'tenant', 'create', 'x', '--secret-file', 'f')).toEqual(['fig.json']);
      expect(sorted('ostiary', 'client', 'show', 'fig.')).toEqual(['']);
    });
  });
}

test('The command completion rejects other shells.', async () => {
  for (const shell of ['tcsh', 'constructor'])
    expect(await ostiary(['completion', shell], {})).toMatchObject({ code: 2 });
});
