import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { Failure } from '../failure.ts';
import { type Streams, Terminal } from '../output/terminal.ts';
import { shown } from '../output/text.ts';
import type { Surroundings } from '../session/session.ts';
import { originOf, tenantOf } from '../session/settings.ts';
import { definitions, globalOptions } from './all.ts';
import { Context } from './context.ts';
import {
  Arguments,
  type CommandDefinition,
  type GroupDefinition,
  isGroup,
  type OptionDefinition,
} from './definition.ts';

export interface Running extends Surroundings {
  streams: Streams;
  signal: AbortSignal;
  version: string;
}

/** Runs one command line. @returns the exit code */
export async function run(argv: readonly string[], running: Running): Promise<number> {
  let terminal = terminalOf(running, {});
  let command = '';
  const program = programOf(running, async (definition, name, given, options) => {
    terminal = terminalOf(running, options);
    command = name;
    await definition.run(contextOf(running, terminal, options), given);
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return Number(process.exitCode ?? 0);
  } catch (error) {
    // Commander ends with 0 after help and version.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    const failure = failureOf(error);
    const isMute = failure.ending === 'usage' && failure.next.length === 0 && command !== '';
    terminal.error(failure.message, isMute ? [`${command} --help`] : failure.next);
    return failure.exitCode;
  }
}

const failureOf = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('failure', `Unexpected error: ${error instanceof Error ? error.message : String(error)}`);

const terminalOf = ({ streams, env }: Running, options: Readonly<Record<string, unknown>>): Terminal =>
  new Terminal(streams, { json: options.json === true, yes: options.yes === true, env });

function contextOf(
  running: Running,
  terminal: Terminal,
  options: Readonly<Record<string, unknown>>,
): Context {
  const { cwd, signal } = running;
  const env = options.secretStdin === true ? withSecret(running.env) : running.env;
  const { server, tenant, profile, operator } = options;
  return new Context({
    terminal,
    surroundings: { env, cwd },
    given: {
      ...(typeof server === 'string' ? { server: originOf(server, '--server') } : {}),
      ...(typeof tenant === 'string' ? { tenant: tenantOf(tenant) } : {}),
      ...(typeof profile === 'string' ? { profile } : {}),
      operator: operator === true,
    },
    signal,
  });
}

/** Reads the client secret from stdin, for containers without a shell, where no variable can be set. */
function withSecret(env: Running['env']): Running['env'] {
  const secret = readFileSync(0, 'utf8').trim();
  if (secret === '') throw new Failure('usage', 'No secret was read from stdin.');
  const { OSTIARY_CLIENT_SECRET_FILE: _, OPERATOR_CLIENT_SECRET_FILE: __, ...rest } = env;
  return {
    ...rest,
    OPERATOR_CLIENT_SECRET: secret,
    ...(env.OSTIARY_CLIENT_ID ? { OSTIARY_CLIENT_SECRET: secret } : {}),
  };
}

type Execute = (
  definition: CommandDefinition,
  name: string,
  given: Arguments,
  options: Readonly<Record<string, unknown>>,
) => Promise<void>;

/** Builds the commander tree of all definitions. */
function programOf({ streams, version }: Running, execute: Execute): Command {
  const program = new Command('ostiary')
    .description('Command line of Ostiary: tenants, clients, users and offboarding.')
    .version(version)
    .showSuggestionAfterError()
    .showHelpAfterError('  ostiary --help')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => streams.stdout.write(text),
      writeErr: (text) => streams.stderr.write(text.split('\n').map(shown).join('\n')),
    })
    .configureHelp({ showGlobalOptions: true, sortSubcommands: true });
  for (const option of globalOptions) program.addOption(optionOf(option));
  for (const definition of definitions) addDefinition(program, definition, execute);
  return addHelp(program);
}

function addDefinition(
  parent: Command,
  definition: CommandDefinition | GroupDefinition,
  execute: Execute,
): void {
  if (!isGroup(definition)) {
    addCommand(parent, definition, execute);
    return;
  }
  const group = parent.command(definition.name).description(definition.summary);
  group.showHelpAfterError(`  ${namesOf(group)} --help`);
  for (const command of definition.commands) addDefinition(group, command, execute);
}

/** Returns the name of a command with those before it: `ostiary user find`. */
const namesOf = (command: Command): string =>
  [...(command.parent ? [namesOf(command.parent)] : []), command.name()].join(' ');

/** Adds `ostiary help user find`: commander's own help command reads only the first word. */
function addHelp(program: Command): Command {
  program.helpCommand(false);
  program
    .command('help [command...]')
    .description('Describes a command and its arguments.')
    .action((words: string[]) => {
      let found = program;
      for (const word of words) {
        const next = found.commands.find((command) => command.name() === word);
        if (next === undefined)
          found.error(`error: unknown command '${word}'`, { code: 'commander.unknownCommand' });
        else found = next;
      }
      found.help();
    });
  return program;
}

function addCommand(parent: Command, definition: CommandDefinition, execute: Execute): void {
  const { usage, summary, details, options = [], examples } = definition;
  const command = parent
    .command(usage)
    .summary(summary)
    .description(details ? `${summary}\n\n${details}` : summary);
  for (const option of options) command.addOption(optionOf(option));
  command.addHelpText('after', `\nExamples:\n${examples.map((example) => `  ${example}`).join('\n')}`);
  const name = namesOf(command);
  command.showHelpAfterError(`  ${name} --help`);
  command.action(async () => {
    const all = command.optsWithGlobals();
    await execute(definition, name, new Arguments(command.processedArgs.flat(), all), all);
  });
}

function oneOf(choices: readonly string[] | undefined, value: string): string {
  if (choices === undefined || choices.includes(value)) return value;
  throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
}

function optionOf(definition: OptionDefinition): Option {
  const option = new Option(definition.flags, definition.description);
  if (definition.choices) option.choices(definition.choices);
  if (definition.default !== undefined) option.default(definition.default);
  if (definition.required) option.makeOptionMandatory();
  const { many, choices } = definition;
  if (many) option.argParser((value: string, before: string[] = []) => [...before, oneOf(choices, value)]);
  return option;
}
