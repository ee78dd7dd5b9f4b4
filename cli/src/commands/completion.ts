import { bash } from '../completion/bash.ts';
import { fish } from '../completion/fish.ts';
import type { Places } from '../completion/places.ts';
import { zsh } from '../completion/zsh.ts';
import { Failure } from '../failure.ts';
import type { Context } from './context.ts';
import {
  type Arguments,
  type CommandDefinition,
  type GroupDefinition,
  isGroup,
  type OptionDefinition,
} from './definition.ts';

export interface Tree {
  definitions: readonly (CommandDefinition | GroupDefinition)[];
  options: readonly OptionDefinition[];
}

export const nameOf = (definition: CommandDefinition | GroupDefinition): string =>
  isGroup(definition) ? definition.name : (definition.usage.split(' ')[0] ?? '');

const flagOf = ({ flags }: OptionDefinition): string => flags.split(' ')[0] ?? '';

interface Place {
  path: string;
  command: CommandDefinition;
}

/** Returns every command with its full name. */
const placesIn = (definitions: Tree['definitions'], before: readonly string[] = []): Place[] =>
  definitions.flatMap((definition) => {
    const names = [...before, nameOf(definition)];
    return isGroup(definition)
      ? placesIn(definition.commands, names)
      : [{ path: names.join(' '), command: definition }];
  });

/** Returns the words after each group. */
function wordsOfGroups(
  definitions: Tree['definitions'],
  everywhere: readonly string[],
  before: readonly string[] = [],
): [string, readonly string[]][] {
  return definitions.filter(isGroup).flatMap(({ name, commands }): [string, readonly string[]][] => {
    const names = [...before, name];
    const own = commands.map(nameOf);
    return [
      [names.join(' '), [...own, ...everywhere]],
      [`help ${names.join(' ')}`, own],
      ...wordsOfGroups(commands, everywhere, names),
    ];
  });
}

function placesOf({ definitions, options }: Tree): Places {
  const everywhere = [...options.map(flagOf), '--help'];
  const commands = placesIn(definitions);
  const words = new Map<string, readonly string[]>([
    ['', [...definitions.map(nameOf), 'help', ...everywhere, '--version']],
    ['help', definitions.map(nameOf)],
    ...wordsOfGroups(definitions, everywhere),
  ]);
  for (const { path, command } of commands)
    words.set(path, [
      ...(command.argumentChoices ?? []),
      ...(command.options ?? []).map(flagOf),
      ...everywhere,
    ]);
  return {
    words,
    leaves: commands.map(({ path }) => path),
    takeFiles: commands.flatMap(({ path, command }) => (/[<[]file[\]>]/.test(command.usage) ? [path] : [])),
    values: new Map(
      [...options, ...commands.flatMap(({ command }) => command.options ?? [])].flatMap((option) =>
        valueTakenBy(option),
      ),
    ),
  };
}

function valueTakenBy(option: OptionDefinition): [string, readonly string[] | 'file'][] {
  const [, value] = /<([^>]+)>/.exec(option.flags) ?? [];
  if (value === undefined) return [];
  return [[flagOf(option), value === 'path' ? 'file' : (option.choices ?? [])]];
}

const shells: Readonly<Record<string, (places: Places) => string>> = { bash, zsh, fish };

export const completionCommand = (treeOf: () => Tree): CommandDefinition => ({
  usage: 'completion <shell>',
  argumentChoices: Object.keys(shells),
  summary: 'Prints the completion script of bash, zsh or fish.',
  examples: [
    'source <(ostiary completion bash)',
    'ostiary completion fish > ~/.config/fish/completions/ostiary.fish',
  ],
  run: async (context: Context, given: Arguments) => {
    const shell = given.at(0);
    const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
    if (script === undefined) throw new Failure('usage', 'The shell must be bash, zsh or fish.');
    context.terminal.raw(script(placesOf(treeOf())));
  },
});
