import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { text as textFrom } from 'node:stream/consumers';
import { refuseUnusableApis } from '../configuration/api-references.ts';
import { Changes, type NewSecret } from '../configuration/changes.ts';
import { documentOf, readCurrent } from '../configuration/current.ts';
import { type ConfigurationDocument, type Item, parseDocument, textOf } from '../configuration/document.ts';
import { inOrder } from '../configuration/order.ts';
import { Parties } from '../configuration/parties.ts';
import {
  type Difference,
  differencesOf,
  isMade,
  type Manner,
  refuseUnchangeable,
} from '../configuration/plan.ts';
import { refuseDangling } from '../configuration/references.ts';
import { warningsOf } from '../configuration/warnings.ts';
import { exitCodes, Failure } from '../failure.ts';
import type { Graph } from '../graph/graph.ts';
import { ReservedFile } from '../output/reserved-file.ts';
import { json, table } from '../output/text.ts';
import type { Context } from './context.ts';
import type { Arguments, CommandDefinition } from './definition.ts';

async function exported(context: Context, given: Arguments): Promise<void> {
  const text = textOf(documentOf(await readCurrent(await context.graph())));
  const path = given.optional(0);
  if (path === undefined) return context.terminal.raw(`${json(JSON.parse(text))}\n`);
  await writeFile(path, text, { flag: given.flag('yes') ? 'w' : 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new Failure(
        'usage',
        `${path} cannot be written (${error.code}).`,
        error.code === 'EEXIST' ? '--yes overwrites it.' : [],
      );
    },
  );
  context.terminal.note(`Written to ${path}. The file contains no secrets.`);
  context.terminal.result({ file: path }, () => []);
}

async function documentAt(path: string): Promise<ConfigurationDocument> {
  const text = await (path === '-' ? textFrom(process.stdin) : readFile(path, 'utf8')).catch(
    (error: Error) => {
      throw new Failure('usage', `${path} cannot be read: ${error.message}`);
    },
  );
  return parseDocument(text, path);
}

const shortOf = ({ action, section, key, fields }: Difference) => ({ action, section, key, fields });

const tableOf = (differences: readonly Difference[]): string[] =>
  table(
    ['action', 'section', 'what', 'fields'],
    differences.map(({ action, section, key, fields }) => [
      action,
      section,
      key,
      action === 'change' ? fields : '',
    ]),
  );

async function diff(context: Context, given: Arguments): Promise<void> {
  const document = await documentAt(given.at(0));
  const all = differencesOf(document, await readCurrent(await context.graph(), document));
  const differences = all.filter(({ action }) => given.flag('prune') || action !== 'delete');
  const extra = all.filter(({ action }) => action === 'delete' && !given.flag('prune'));
  context.terminal.result({ differences: differences.map(shortOf), onlyInTenant: extra.map(shortOf) }, () =>
    differences.length === 0 ? ['No differences.'] : tableOf(differences),
  );
  if (extra.length > 0)
    context.terminal.note(`${extra.length} more objects exist only in the tenant; --prune includes them.`);
  if (differences.length > 0) process.exitCode = exitCodes.differs.code;
}

const itemsOf = (differences: readonly Difference[]): Item[] =>
  differences.flatMap((each) => (each.action === 'delete' ? [] : [each.item]));

async function bring(context: Context, given: Arguments, manner: Manner): Promise<void> {
  const document = await documentAt(given.at(0));
  const graph = await context.graph();
  const current = await readCurrent(graph, document);
  const { as } = await context.session();
  const all = inOrder(differencesOf(document, current));
  const differences = all.filter((each) => isMade(each, manner));
  const own = differences.find((each) => each.action === 'delete' && each.present.id === as.clientId);
  if (own)
    throw new Failure('conflict', `${own.key} is the client of this command and cannot delete itself.`);
  refuseDangling(document, current, manner.prune);
  refuseUnusableApis(document, current, manner);
  refuseUnchangeable(differences);
  const parties = await Parties.of(graph, itemsOf(differences));
  for (const warning of warningsOf(differences, current)) context.terminal.warn(warning);
  if (!manner.changes && all.some(({ section }) => section === 'clientDocumentPolicy'))
    context.terminal.note('clientDocumentPolicy differs and is not changed: ostiary apply changes it.');
  if (differences.length > 0) {
    for (const line of tableOf(differences)) context.terminal.progressLine(line);
    await context.terminal.confirm(`Make these ${differences.length} changes in ${current.tenant}?`);
  }
  const path = given.text('secretsFile');
  const file = path === undefined ? undefined : await ReservedFile.at(path);
  const changes = new Changes(graph, current, parties);
  const secrets: NewSecret[] = [];
  const done: Difference[] = [];
  try {
    for (const difference of differences) {
      context.mayGoOn();
      const secret = await changes.make(difference);
      if (secret) secrets.push(secret);
      done.push(difference);
      context.terminal.progress(
        `${done.length} of ${differences.length}: ${difference.action} ${difference.key}`,
      );
    }
    await madeAnew(graph, document, done, secrets);
  } catch (error) {
    const failed = differences[done.length];
    const failure = error instanceof Failure ? error : new Failure('failure', String(error));
    // Exit code 2 states that nothing was changed.
    const ending = failure.ending === 'usage' && done.length > 0 ? 'failure' : failure.ending;
    throw new Failure(ending, `${failed?.section} ${failed?.key}: ${failure.message}`, [
      `${done.length} of ${differences.length} changes were made. Repeat the command to make the others.`,
      ...failure.next,
    ]);
  } finally {
    await keepSecrets(context, file, secrets);
  }
  context.terminal.result({ changes: done.map(shortOf) }, () =>
    done.length === 0 ? ['No changes were necessary.'] : tableOf(done),
  );
}

/**
 * Creates objects again whose idempotency key returned the result of an object that was deleted since. A new salt makes
 * the key differ.
 */
async function madeAnew(
  graph: Graph,
  document: ConfigurationDocument,
  done: readonly Difference[],
  secrets: NewSecret[],
): Promise<void> {
  const created = new Set(
    done.flatMap((each) => (each.action === 'create' ? [`${each.section} ${each.key}`] : [])),
  );
  if (created.size === 0) return;
  const current = await readCurrent(graph, document);
  const missing = inOrder(differencesOf(document, current)).filter(
    (each) => each.action === 'create' && created.has(`${each.section} ${each.key}`),
  );
  const changes = new Changes(graph, current, await Parties.of(graph, itemsOf(missing)), randomUUID());
  for (const difference of missing) {
    const secret = await changes.make(difference);
    if (secret) secrets.push(secret);
  }
}

/** Writes the secrets to the file only, never to stdout: schedulers and CI systems store the output of commands. */
async function keepSecrets(
  context: Context,
  file: ReservedFile | undefined,
  secrets: readonly NewSecret[],
): Promise<void> {
  try {
    if (secrets.length === 0) return;
    if (file !== undefined) {
      await file.write(`${JSON.stringify(secrets, null, 2)}\n`);
      return context.terminal.note(`The secrets of the created objects are in ${file.path}.`);
    }
  } finally {
    await file?.close();
  }
  context.terminal.note(
    `${secrets.length} created objects have secrets that were not saved: use ostiary client rotate-secret or ostiary connector rotate-token, and --secrets-file next time.`,
  );
}

const secretsFile = {
  flags: '--secrets-file <path>',
  description: 'write secrets of created objects to a new file (mode 0600)',
};
const prune = {
  flags: '--prune',
  description: 'delete objects that the file does not name, in its sections',
};

export const configurationCommands: readonly CommandDefinition[] = [
  {
    usage: 'export [file]',
    summary:
      'Writes the configuration of a tenant: settings, policies, branding, schemas, APIs, clients, connectors, webhooks, trusted issuers, service accounts, roles of groups.',
    details:
      'The file contains no secrets and no ids, and names users and groups only in policies, connectors and roles. The output is deterministic. Logos are fetched from the public origin. Webhook addresses are written unchanged and may contain credentials of their receivers.',
    examples: ['ostiary export acme.json', 'ostiary export --tenant acme > acme.json'],
    run: exported,
  },
  {
    usage: 'diff <file>',
    summary: 'Prints the differences between a tenant and a file; exits with 7 if there are any.',
    options: [{ ...prune, description: 'include objects that the file does not name' }],
    examples: ['ostiary diff acme.json', 'ostiary diff acme.json --json'],
    run: diff,
  },
  {
    usage: 'apply <file>',
    summary: 'Changes a tenant to match a file.',
    details:
      'The command is idempotent and completes an interrupted run. Each change requires the version that was read: after a concurrent change it exits with 5. Users and groups named in the file must exist. Before the confirmation it warns of clients that a narrower policy for client documents deletes, and of removed scopes, roles and APIs, because access tokens are revoked.',
    options: [prune, secretsFile],
    examples: ['ostiary apply acme.json', 'ostiary apply acme.json --yes --prune --secrets-file new.json'],
    run: (context, given) => bring(context, given, { changes: true, prune: given.flag('prune') }),
  },
  {
    usage: 'import <file>',
    summary:
      'Creates the objects of a file that the tenant lacks, and updates settings. Existing objects are not changed.',
    details:
      'The policy for client documents (clientDocumentPolicy) is not changed either, because a narrower policy deletes clients with everything issued to them. ostiary apply changes it.',
    options: [secretsFile],
    examples: ['ostiary import acme.json --tenant acme-staging --operator'],
    run: (context, given) => bring(context, given, { changes: false, prune: false }),
  },
];
