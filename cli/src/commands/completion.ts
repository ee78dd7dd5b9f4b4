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

/** Returns every command under each of its names. */
const placesIn = (definitions: Tree['definitions']): Place[] =>
  definitions.flatMap((definition) =>
    isGroup(definition)
      ? definition.commands.map((command) => ({ path: `${definition.name} ${nameOf(command)}`, command }))
      : [{ path: nameOf(definition), command: definition }],
  );

function placesOf({ definitions, options }: Tree): Places {
  const everywhere = [...options.map(flagOf), '--help'];
  const groups = definitions.filter(isGroup);
  const commands = placesIn(definitions);
  const words = new Map([['', [...definitions.map(nameOf), 'help', ...everywhere, '--version']]]);
  words.set('help', definitions.map(nameOf));
  for (const { name, commands: own } of groups) {
    words.set(name, [...own.map(nameOf), ...everywhere]);
    words.set(`help ${name}`, own.map(nameOf));
  }
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
