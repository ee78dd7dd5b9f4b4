import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { definitions, globalOptions } from '../../cli/src/commands/all.ts';
import { type CommandDefinition, type GroupDefinition, isGroup } from '../../cli/src/commands/definition.ts';
import { codeBlocksOf } from '../start/code-blocks.ts';

const root = resolve(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const guides = globSync('docs/{start,guides}/*.md', { cwd: root }).toSorted();

const namesIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, name = '']) => name);

const proseOf = (page: string): string => read(page).replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

describe('the form of a guide', () => {
  test.each(guides)('The page %s states its purpose and prerequisites before its first section.', (page) => {
    const [introduction = ''] = proseOf(page).split(/^## /m);
    expect(introduction.match(/(?:^|\. )This (?:guide|page) \w+s\b/gm)).toHaveLength(1);
    expect(introduction.match(/^\*\*Prerequisites:\*\* \S/gm)).toHaveLength(1);
    expect(read(page)).toMatch(/\n## See also\n/);
  });

  test.each(guides)('The steps of %s are numbered without a gap.', (page) => {
    const numbers = [...proseOf(page).matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
    expect(numbers).toContain(2);
    const followed = numbers.map((number, index) => number === 1 || number === (numbers[index - 1] ?? 0) + 1);
    expect(followed).not.toContain(false);
  });
});

const commandsIn = (page: string): string[] =>
  codeBlocksOf(page.replace(/^docs\//, ''))
    .filter(({ language }) => ['sh', 'text'].includes(language))
    .flatMap(({ text }) => text.replaceAll(/ \\\n\s*/g, ' ').split('\n'));

describe('the blocks for a shell', () => {
  const pages = ['../README.md', '{start,guides}/*.md', '../CONTRIBUTING.md'];
  const pastedBlocks = pages
    .flatMap((page) => codeBlocksOf(page))
    .filter(({ language }) => language === 'sh');

  test('No block for a shell has a comment, which zsh executes by default.', () => {
    const comments = pastedBlocks.filter(({ text }) => /(?:^|\s)#(?:[ =]|$)/m.test(text));
    expect(pastedBlocks.length).toBeGreaterThan(70);
    expect(comments).toEqual([]);
  });

  test('Each block for a shell is valid in bash, and in zsh where it is installed.', () => {
    const shells = ['bash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0);
    const invalid = pastedBlocks.filter(({ text }) =>
      shells.some((shell) => spawnSync(shell, ['-n'], { input: text }).status !== 0),
    );
    expect(invalid).toEqual([]);
  });

  test('A function that docs/start defines has one definition there and none in the tour.', () => {
    const definitions = new Map<string, Set<string>>();
    for (const { page, text } of pastedBlocks.filter((block) => block.page.startsWith('start/'))) {
      for (const [definition, name = ''] of text.matchAll(/^(\w+)\(\) \{.*$/gm)) {
        // `ostiary` depends on the kind of the installation.
        if (name !== 'ostiary') definitions.set(name, (definitions.get(name) ?? new Set()).add(definition));
        expect([page, name, namesIn(read('docs/examples/tour.sh'), /^(\w+)\(\) \{/gm)]).toEqual([
          page,
          name,
          expect.not.arrayContaining([name]),
        ]);
      }
    }
    expect([...definitions.keys()].toSorted()).toEqual(['field', 'provision']);
    for (const [name, texts] of definitions) expect([name, texts.size]).toEqual([name, 1]);
  });

  test('Git ignores every file that the commands of README.md and docs/start write.', () => {
    const written = pastedBlocks
      .filter(({ page }) => !page.startsWith('guides/'))
      .flatMap(({ text }) => namesIn(text, /(?:(?<![\d&<=-])>|--secret-file) ?"?([\w.][\w./$-]*)/g))
      .filter((file) => !file.startsWith('dev/'));
    expect(written).toEqual(
      expect.arrayContaining(['.env', 'acme.json', 'ostiary/secrets.env', 'signals.log']),
    );
    for (const file of new Set(written)) {
      const { status } = spawnSync('git', ['check-ignore', '--no-index', '--quiet', file], { cwd: root });
      expect([file, status]).toEqual([file, 0]);
    }
  });
});

/** Commands and names in guides: the code spans of sentences, and the commands in blocks. */
const code = guides.flatMap((page) => {
  const spans = [...proseOf(page).matchAll(/`([^`]+)`/g)].map(([, span = '']) =>
    span.replaceAll(/\s+/g, ' '),
  );
  return [...spans, ...commandsIn(page)].map((text) => ({ page, text }));
});

/** Returns the matches of the first group of a pattern in the code of guides, each with its page. */
const named = (pattern: RegExp): { page: string; name: string }[] =>
  code.flatMap(({ page, text }) => [...text.matchAll(pattern)].map(([, name = '']) => ({ page, name })));

const flagsOf = (options: readonly { flags: string }[]): string[] =>
  options.flatMap(({ flags }) => flags.match(/--[\w-]+/g) ?? []);

/** Returns the command that words name, or the words that name none. */
function commandAt(
  within: readonly (CommandDefinition | GroupDefinition)[],
  [first = '', ...others]: readonly string[],
): CommandDefinition | string {
  const found = within.find((each) => (isGroup(each) ? each.name : each.usage.split(' ')[0]) === first);
  if (found === undefined) return first;
  if (!isGroup(found)) return found;
  const command = commandAt(found.commands, others);
  return typeof command === 'string' ? `${first} ${command}` : command;
}

/** Returns the words of a command line of `ostiary` that its declarations do not contain. */
function undeclared(line: string): string[] {
  const words = line
    .replaceAll(/"[^"]*"/g, '"…"')
    .trim()
    .split(/ +/);
  const options = words.filter((word) => word.startsWith('--'));
  const given = words.slice(words.findIndex((word) => !word.startsWith('--')));
  const [first = ''] = given;
  // A shell function that passes its own words has no command.
  if (given.length === 0 || !/^[a-z]/.test(first)) return [];
  const command = commandAt(definitions, given);
  if (typeof command === 'string') return [command];
  const known = flagsOf([...globalOptions, ...(command.options ?? [])]);
  return options.filter((option) => !known.includes(option.replace(/=.*/, '')));
}

describe('the commands of guides', () => {
  test('Every npm script that a guide names exists.', () => {
    const manifests = globSync('{.,libs/*,services/*,gateway,cli,console,bench,e2e}/package.json', {
      cwd: root,
    });
    const scripts = new Set(
      manifests.flatMap((path) =>
        Object.keys((JSON.parse(read(path)) as { scripts?: object }).scripts ?? {}),
      ),
    );
    const run = [...named(/\bnpm run (?:--silent )?([\w:-]+)/g), ...named(/\bnpm (start|test)\b/g)];
    expect(run.length).toBeGreaterThan(20);
    expect(run.filter(({ name }) => !scripts.has(name))).toEqual([]);
  });

  test('Every command and option of ostiary that a guide names is declared.', () => {
    const lines = named(
      /(?:(?:^|npx |[(;|] ?)ostiary|cli\/dist\/main\.js)((?: (?!\||>|<|&&)(?:"[^"]*"|[^\s"|;)`]+))+)/g,
    );
    expect(lines.length).toBeGreaterThan(30);
    expect(lines.filter(({ name }) => undeclared(name).length > 0)).toEqual([]);
    expect(undeclared(' user doors alice --operator --json')).toEqual([]);
    expect(undeclared(' user walls alice')).toEqual(['user walls']);
    expect(undeclared(' api roles assign Orders approver --user alice')).toEqual([]);
    expect(undeclared(' api roles give Orders')).toEqual(['api roles give']);
    expect(undeclared(' user doors alice --quietly')).toEqual(['--quietly']);
  });

  test('Every file of the repository that a command in a guide names exists.', () => {
    const folders = 'services|libs|gateway|cli|console|e2e|scripts|bench|k8s|chart|deploy|docs';
    const paths = named(new RegExp(`(?<![\\w./-])(?:\\.\\./)*((?:${folders})/[\\w@*./-]*\\w)`, 'g'));
    expect(paths.length).toBeGreaterThan(30);
    expect(paths.filter(({ name }) => globSync(name, { cwd: root }).length === 0)).toEqual([]);
  });
});

/** Variables of the processes, of the command line, of the Secret in Kubernetes, and of the generated secrets. */
function documentedVariables(): string[] {
  const [, secret = ''] = /^## The Secret\n(.*?)^## /ms.exec(read('docs/start/kubernetes.md')) ?? [];
  const pages = ['configuration', 'command-line'].map((page) => read(`docs/reference/${page}.md`));
  const generated = execFileSync(process.execPath, [join(root, 'scripts/make-secrets.mjs')], {
    encoding: 'utf8',
  });
  return [
    ...namesIn([...pages, secret].join('\n'), /`([A-Z][A-Z0-9_]+)`/g),
    ...namesIn(generated, /^(\w+)=/gm),
  ];
}

/** Enum values and error codes, which have the form of a variable. */
function codesOfTheApi(): string[] {
  const sources = globSync('{gateway,libs/*}/src/**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] });
  return [
    ...namesIn(read('gateway/released-api.graphql'), /^ {2}([A-Z][A-Z0-9_]+)/gm),
    ...sources.flatMap((path) => namesIn(read(path), /'([A-Z][A-Z0-9_]+)'/g)),
  ];
}

test('Every environment variable that a guide names is documented, or assigned in a guide.', () => {
  const tests = globSync('e2e/**/*.ts', { cwd: root, exclude: ['**/node_modules'] })
    .map(read)
    .join('\n');
  const known = new Set([
    ...documentedVariables(),
    ...codesOfTheApi(),
    ...namesIn(tests, /process\.env\.([A-Z][A-Z0-9_]+)/g),
    ...guides.flatMap((page) => namesIn(commandsIn(page).join('\n'), /(?<![\w$])([A-Z][A-Z0-9_]+)=/g)),
  ]);
  /** A variable that the reader sets: a sentence names it, and a command of the page reads it. */
  const isOfReader = ({ page, name }: { page: string; name: string }) =>
    proseOf(page).includes(`\`${name}\``) && commandsIn(page).some((line) => line.includes(`$${name}`));
  const variables = named(/(?<![…\w])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b(?!_)/g);
  expect(variables.length).toBeGreaterThan(200);
  const unknown = variables.filter(
    (each) => !known.has(each.name.replace(/_FILE$/, '')) && !isOfReader(each),
  );
  expect(unknown).toEqual([]);
});
