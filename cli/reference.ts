// Writes docs/reference/command-line.md from the definitions of the commands.
//   npm run reference              (in cli)
//   npm run reference -- --check   fails when the page is out of date
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions, globalOptions } from './src/commands/all.ts';
import {
  type CommandDefinition,
  type GroupDefinition,
  isGroup,
  type OptionDefinition,
} from './src/commands/definition.ts';
import { exitCodes } from './src/failure.ts';
import { variables } from './src/session/settings.ts';

const path = join(import.meta.dirname, '../docs/reference/command-line.md');

const optionRows = (options: readonly OptionDefinition[]): string[] =>
  options.map(({ flags, description, choices, default: preset, many }) => {
    const more = [
      choices ? `one of ${choices.map((choice) => `\`${choice}\``).join(', ')}` : '',
      preset === undefined ? '' : `default \`${preset}\``,
      many ? 'repeatable' : '',
    ].filter(Boolean);
    return `| \`${flags}\` | ${[description, ...more].join('; ')} |`;
  });

const commandSection = (
  prefix: string,
  { usage, summary, details, options = [], examples }: CommandDefinition,
): string[] => [
  `### \`ostiary ${prefix}${usage}\``,
  '',
  details ? `${summary} ${details}` : summary,
  '',
  ...(options.length > 0 ? ['| option | meaning |', '|---|---|', ...optionRows(options), ''] : []),
  '```sh',
  ...examples,
  '```',
  '',
];

const groupSections = (prefix: string, { name, commands }: GroupDefinition): string[] =>
  commands.flatMap((command) =>
    isGroup(command)
      ? groupSections(`${prefix}${name} `, command)
      : commandSection(`${prefix}${name} `, command),
  );

const text = [
  '# Command line',
  '',
  'This page lists the commands of `ostiary`. `npm run reference` in `cli` writes it. Run `npx ostiary` in a checkout, `node cli/dist/main.js` in the image of the gateway.',
  '',
  '`ostiary` calls the [GraphQL API](graph-schema.md) as a user (`ostiary login`), as a client of the tenant (`OSTIARY_CLIENT_ID`), or as the operator of the',
  'installation at the operator port of the gateway (`OPERATOR_PORT`), which must not be exposed by an ingress. It has the rights of that user or client. After `npm start` it uses the demo tenants by default.',
  '',
  'Results are written to stdout, messages to stderr. With `--json` a result is one JSON value; later releases only add members. Control characters and direction marks in stored texts are',
  'printed as code points. Destructive commands ask for confirmation; without a terminal they require `--yes`.',
  '',
  '## Options of every command',
  '',
  '| option | meaning |',
  '|---|---|',
  ...optionRows(globalOptions),
  '',
  '## Exit codes',
  '',
  '| code | meaning |',
  '|---|---|',
  ...Object.values(exitCodes).map(({ code, means }) => `| ${code} | ${means} |`),
  '',
  '## Environment',
  '',
  '| variable | meaning |',
  '|---|---|',
  ...Object.entries(variables).map(([name, what]) => `| \`${name}\` | ${what} |`),
  '',
  ...definitions.flatMap((definition) =>
    isGroup(definition)
      ? [`## ${definition.name}`, '', definition.summary, '', ...groupSections('', definition)]
      : [`## ${definition.usage.split(' ')[0]}`, '', ...commandSection('', definition)],
  ),
].join('\n');

if (!process.argv.includes('--check')) writeFileSync(path, text);
else if (readFileSync(path, 'utf8') !== text) {
  console.error('docs/reference/command-line.md is out of date: run npm run reference in cli');
  process.exitCode = 1;
}
