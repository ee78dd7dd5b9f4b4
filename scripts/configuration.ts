// Writes docs/reference/configuration.md from the typed environment of every process.
//   node scripts/configuration.ts          (after npm run build)
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isConfidential, migrationEnv } from '../libs/service/dist/index.js';

interface Variable {
  desc?: string;
  default?: unknown;
  example?: string;
  choices?: readonly string[];
}

const processes = {
  auth: '../services/auth/dist/env.js',
  directory: '../services/directory/dist/env.js',
  provisioning: '../services/provisioning/dist/env.js',
  gateway: '../gateway/dist/env.js',
  guard: '../services/guard/dist/env.js',
} as const;

const page = fileURLToPath(new URL('../docs/reference/configuration.md', import.meta.url));

type Specifications = Readonly<Record<string, Readonly<Record<string, Variable>>>>;

/** Returns the text of the page. */
export async function configurationPage(): Promise<string> {
  const specs: Record<string, Record<string, Variable>> = {};
  for (const [name, module] of Object.entries(processes)) {
    specs[name] = (
      (await import(new URL(module, import.meta.url).href)) as { env: Record<string, Variable> }
    ).env;
  }
  const { every, shared, own } = byUsers(specs);
  return [
    '# Configuration',
    '',
    'Every process reads its environment once, at its start, and reports each invalid or missing variable. `node scripts/configuration.ts`',
    'generates this page from the declarations in the code.',
    '',
    'A secret can be read from a file, as Kubernetes and Docker mount them: `…_FILE` has the path. White space around the value is removed. A process',
    'does not start if the file is missing, unreadable or empty, or if the variable is set as well. Only the file of a `…_SECOND` may be missing in an',
    'existing folder; the variable is then unset. The files of the addresses of PostgreSQL and Redis, and of the secret of a process, are read again for',
    'each new connection or token request, so their content can change while the process runs.',
    '',
    '## Every process',
    '',
    ...table(every.map((variable) => row(variable, specs.auth?.[variable] ?? {}))),
    '',
    '## Several processes',
    '',
    '| variable | read by | default | description |',
    '|---|---|---|---|',
    ...shared.map(({ variable, users }) =>
      row(variable, specs[users[0] ?? '']?.[variable] ?? {}, users.join(', ')),
    ),
    ...Object.entries(own).flatMap(([name, variables]) => [
      '',
      `## ${name}`,
      '',
      ...table(variables.map((variable) => row(variable, specs[name]?.[variable] ?? {}))),
    ]),
    ...programs,
    ...table(Object.entries(migrationEnv as Record<string, Variable>).map(([name, spec]) => row(name, spec))),
    '',
  ].join('\n');
}

/** Groups variables into those with the same meaning in every process, in several, and in one. */
function byUsers(specs: Specifications): {
  every: string[];
  shared: { variable: string; users: string[] }[];
  own: Record<string, string[]>;
} {
  const names = Object.keys(specs);
  const users = (variable: string) => names.filter((name) => specs[name] && variable in specs[name]);
  const same = (variable: string) =>
    new Set(users(variable).map((name) => row(variable, specs[name]?.[variable] ?? {}))).size === 1;
  const every = Object.keys(specs.auth ?? {}).filter(
    (variable) => users(variable).length === names.length && same(variable),
  );
  const shared = [...new Set(names.flatMap((name) => Object.keys(specs[name] ?? {})))].filter(
    (variable) => !every.includes(variable) && users(variable).length > 1 && same(variable),
  );
  const isOwn = (variable: string) => !every.includes(variable) && !shared.includes(variable);
  return {
    every,
    shared: shared.map((variable) => ({ variable, users: users(variable) })),
    own: Object.fromEntries(names.map((name) => [name, Object.keys(specs[name] ?? {}).filter(isOwn)])),
  };
}

/** Variables of programs that are not processes of the system. */
const programs = [
  '',
  '## `npm start`',
  '',
  '| variable | default | description |',
  '|---|---|---|',
  '| `PORT` | `4000` | Port of the gateway. The services use the next three ports, the metrics four ports from `PORT` + 100. |',
  '| `OSTIARY_HOME` | `.ostiary` | Folder of the embedded databases, secrets, logs and `demo.json`. |',
  '| `DATABASE_URL`, `REDIS_URL` | embedded servers | Addresses of your own servers. |',
  '| `DATABASE_URL_AUTH`, `DATABASE_URL_DIRECTORY`, `DATABASE_URL_PROVISIONING` | `DATABASE_URL` | Address with the login of one process at your own PostgreSQL. Also read by `npm run audit:invariants` and `npm run reapply-departures`. |',
  '| `REDIS_URL_AUTH`, `REDIS_URL_DIRECTORY`, `REDIS_URL_PROVISIONING`, `REDIS_URL_GATEWAY` | `REDIS_URL` | Address with the login of one process at your own Redis. |',
  '',
  '## `migrate`',
  '',
  'Each service has its own program, `node services/auth/dist/migrate.js`. `node scripts/migrate.mjs` runs all three, each with its role (`DATABASE_ROLE=ostiary_auth`, …), and reads',
  'these variables:',
  '',
  '| variable | default | description |',
  '|---|---|---|',
  '| `DATABASE_URL_MIGRATE_AUTH`, `DATABASE_URL_MIGRATE_DIRECTORY`, `DATABASE_URL_MIGRATE_PROVISIONING` | `DATABASE_URL` | Address with the login of the owner of the schema, with a database for each service. |',
  '| `DATABASE_PASSWORD_AUTH`, `DATABASE_PASSWORD_DIRECTORY`, `DATABASE_PASSWORD_PROVISIONING` | unset | Password that the role of the service gets. Unset: the role must exist, and keeps its password. |',
  '| `DATABASE_ROLES` | `true` | `false`: creates and changes no role. |',
  '',
  'A program of one service reads:',
  '',
];

const table = (rows: readonly string[]): string[] => [
  '| variable | default | description |',
  '|---|---|---|',
  ...rows,
];

function row(variable: string, spec: Variable, who?: string): string {
  const choices = spec.choices ? ` One of ${spec.choices.map((choice) => `\`${choice}\``).join(', ')}.` : '';
  const example = spec.example ? ` Example: \`${spec.example}\`.` : '';
  const cells = [
    isConfidential(spec) ? `\`${variable}\`, \`…_FILE\`` : `\`${variable}\``,
    ...(who === undefined ? [] : [who]),
    fallback(spec),
    `${spec.desc ?? ''}${choices}${example}`,
  ];
  return `| ${cells.join(' | ')} |`;
}

function fallback(spec: Variable): string {
  if (!('default' in spec)) return '**required**';
  if (spec.default === undefined) return 'unset';
  const text = Array.isArray(spec.default)
    ? spec.default.join(',')
    : typeof spec.default === 'object'
      ? JSON.stringify(spec.default)
      : String(spec.default);
  return text === '' ? 'empty' : `\`${text}\``;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const wanted = await configurationPage();
  if (process.argv.includes('--check')) {
    if (readFileSync(page, 'utf8') !== wanted) {
      console.error('docs/reference/configuration.md is out of date: run node scripts/configuration.ts');
      process.exit(1);
    }
  } else writeFileSync(page, wanted);
}
