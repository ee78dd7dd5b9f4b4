// Writes docs/reference/command-line.md from the definitions of the commands.
//   npm run reference              (in cli)
//   npm run reference -- --check   fails when the page is out of date
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { definitions, globalOptions } from './src/commands/all.ts';
import { type CommandDefinition, isGroup, type OptionDefinition } from './src/commands/definition.ts';
import { exitCodes } from './src/failure.ts';
import { variables } from './src/session/settings.ts';

const path = join(import.meta.dirname, '../docs/reference/command-line.md');

const optionRows = (options: readonly OptionDefinition[]): string[] =>
  options.map(({ flags, description, choices, default: preset, many }) => {
    const more = [
      choices ? `one of ${choices.map((choice) => `\`${choice}\``).join(', ')}` : '',
      preset === undefined ? '' : `\`${preset}\` unless said`,
      many ? 'may be repeated' : '',
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
  ...(options.length > 0 ? ['| option | what |', '|---|---|', ...optionRows(options), ''] : []),
  '```sh',
  ...examples,
  '```',
  '',
];

const text = [
  '# Command line',
  '',
  'Made from the definitions of the commands by `npm run reference` in `cli`; a test keeps it true. In a checkout it is `npx ostiary`, in the image of the gateway `node cli/dist/main.js`.',
  '',
  '`ostiary` asks the [graph](graph-schema.md) as any client does: as a person (`ostiary login`), as a client of the tenant (`OSTIARY_CLIENT_ID`), or as the operator of the',
  "installation, at the gateway's operator port (`OPERATOR_PORT`), which no ingress leads to. It may do what that person or client may. Beside an `npm start`, it works with the demo tenants unasked.",
  '',
  'Results are on stdout, everything about them on stderr. With `--json` a result is one JSON value, whose members are only ever added to. Texts of other people are shown with control characters and',
  'marks of direction as code points. What destroys asks first; without a terminal it takes `--yes`.',
  '',
  '## Options of every command',
  '',
  '| option | what |',
  '|---|---|',
  ...optionRows(globalOptions),
  '',
  '## Exit codes',
  '',
  '| code | what |',
  '|---|---|',
  ...Object.values(exitCodes).map(({ code, means }) => `| ${code} | ${means} |`),
  '',
  '## Environment',
  '',
  '| variable | what |',
  '|---|---|',
  ...Object.entries(variables).map(([name, what]) => `| \`${name}\` | ${what} |`),
  '',
  ...definitions.flatMap((definition) =>
    isGroup(definition)
      ? [
          `## ${definition.name}`,
          '',
          definition.summary,
          '',
          ...definition.commands.flatMap((command) => commandSection(`${definition.name} `, command)),
        ]
      : [`## ${definition.usage.split(' ')[0]}`, '', ...commandSection('', definition)],
  ),
].join('\n');

if (!process.argv.includes('--check')) writeFileSync(path, text);
else if (readFileSync(path, 'utf8') !== text) {
  console.error('docs/reference/command-line.md is out of date: run npm run reference in cli');
  process.exitCode = 1;
}
