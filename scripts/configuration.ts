// Writes docs/reference/configuration.md from the typed environment of every process, so that it can't be wrong.
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
} as const;

const page = fileURLToPath(new URL('../docs/reference/configuration.md', import.meta.url));

type Specifications = Readonly<Record<string, Readonly<Record<string, Variable>>>>;

/** The page as it should be. */
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
    'Every process reads its environment once, at the start, and reports each invalid or missing variable in one sentence. This page is',
    'made from the typed specifications by `node scripts/configuration.ts`; a test keeps it true.',
    '',
    'A secret may come from a file instead, as Kubernetes and Docker mount them: `…_FILE` names it, white space around the value is taken off, and',
    'a file that is missing, unreadable or empty, or one beside the variable itself, is said at the start. Only the file of a `…_SECOND` may be missing',
    'from its folder; then there is none. The addresses of PostgreSQL and Redis and the secret that a process presents are read again from their files when a',
    'connection is made or a token asked for, so that a file may change beneath a running process.',
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

/** Which variables mean the same in every process, which in several, and which are of one alone. */
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

/** What is set for programs that aren't processes of the system. */
const programs = [
  '',
  '## `npm start`',
  '',
  '| variable | default | description |',
  '|---|---|---|',
  '| `PORT` | `4000` | Port of the edge; the services take the three after it, and metrics the four from 100 above it. |',
  '| `OSTIARY_HOME` | `.ostiary` | Where the embedded databases, secrets, logs and `demo.json` are. |',
  '| `DATABASE_URL`, `REDIS_URL` | embedded servers | Use servers of your own instead. |',
  '| `DATABASE_URL_AUTH`, `REDIS_URL_GATEWAY`, … | `DATABASE_URL`, `REDIS_URL` | The address that one process logs in with at a server of your own. |',
  '',
  '## `migrate`',
  '',
  'Each service has its own, `node services/auth/dist/migrate.js`; `node scripts/migrate.mjs` runs all three, with',
  '`DATABASE_ROLE=ostiary_auth` and so on, and the passwords of `DATABASE_PASSWORD_AUTH`, …; `DATABASE_ROLES=false` leaves roles alone.',
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
