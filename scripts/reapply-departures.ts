/**
 * Repeats, after a database was restored to an earlier time, the offboarding of users who were offboarded since. Run it
 * before the services start, with the databases that they will use. A repeated run has no effect.
 *
 * node scripts/reapply-departures.ts [--from departures.jsonl] [--json]   repeats it, from auth's database and the list
 * node scripts/reapply-departures.ts --export                            prints the list of offboarded users
 * DATABASE_URL, or DATABASE_URL_AUTH and _DIRECTORY where they are different. Exit code 0: done. 1: the list names an
 * unknown tenant. 2: failed.
 */
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { connectReadOnly } from '@ostiary/database';
import type { Reapplied, Remembered } from '../services/directory/dist/recovery/domain/restoring.js';
import { openRestored } from '../services/directory/dist/restore.js';

const batch = 1_000;

// Not awaited here, because this is bundled as a script for the image `audit`.
main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    console.error(
      `Departures could not be reapplied: ${error instanceof Error ? error.message : String(error)}`,
    );
    process.exitCode = 2;
  },
);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string' },
      export: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  });
  if (values.export) {
    for await (const users of knownToAuth('AND (NOT active OR departed_version > 1)')) {
      process.stdout.write(users.map((user) => `${JSON.stringify(user)}\n`).join(''));
    }
    return 0;
  }
  const sum = await reapplyAll(values.from);
  const { looked, deactivated, deleted, raised, repeated, unknownTenant } = sum;
  process.stdout.write(
    values.json
      ? `${JSON.stringify(sum)}\n`
      : `${looked} users verified: ${deactivated} deactivated again, ${deleted} deleted again, ${repeated} published to auth again, ${raised} raised to the version in auth, ${unknownTenant} of unknown tenants\n`,
  );
  return unknownTenant === 0 ? 0 : 1;
}

async function reapplyAll(list: string | undefined): Promise<Reapplied> {
  const directory = openRestored(databaseOf('directory'));
  const sum: Reapplied = { looked: 0, deactivated: 0, deleted: 0, raised: 0, repeated: 0, unknownTenant: 0 };
  const add = async (people: readonly Remembered[]): Promise<void> => {
    const done = await directory.reapply(people);
    for (const name of Object.keys(sum) as (keyof Reapplied)[]) sum[name] += done[name];
  };
  try {
    // The list first: when both databases are restored, only the list is complete.
    if (list !== undefined) for await (const people of listed(list)) await add(people);
    for await (const people of knownToAuth('')) await add(people);
  } finally {
    await directory.close();
  }
  return sum;
}

/** Reads the subjects of auth, a page at a time. */
async function* knownToAuth(
  condition: '' | 'AND (NOT active OR departed_version > 1)',
): AsyncGenerator<Remembered[]> {
  const auth = await connectReadOnly(databaseOf('auth'), { statementTimeoutMs: 60_000 });
  try {
    let last: Pick<Remembered, 'tenant' | 'id'> = { tenant: '', id: '00000000-0000-0000-0000-000000000000' };
    for (;;) {
      const { rows } = await auth.query<Remembered>(
        `SELECT tenant, id, version, active, deleted, departed_version AS "departedVersion" FROM auth.subjects
          WHERE (tenant, id) > ($1, $2::uuid) ${condition} ORDER BY tenant, id LIMIT ${batch}`,
        [last.tenant, last.id],
      );
      const end = rows.at(-1);
      if (!end) return;
      yield rows;
      last = end;
    }
  } finally {
    await auth.close();
  }
}

/** Reads the output of `--export`. */
async function* listed(file: string): AsyncGenerator<Remembered[]> {
  let people: Remembered[] = [];
  let number = 0;
  for await (const line of createInterface({ input: createReadStream(file) })) {
    number += 1;
    if (line.trim() !== '') people.push(readLine(line, `${file}, line ${number}`));
    if (people.length === batch) {
      yield people;
      people = [];
    }
  }
  if (people.length > 0) yield people;
}

function readLine(line: string, where: string): Remembered {
  let read: Partial<Remembered> = {};
  try {
    read = JSON.parse(line) as Partial<Remembered>;
  } catch {
    // The validation below reports the error.
  }
  const { tenant, id, version, active, deleted, departedVersion } = read;
  const hasVersions = Number.isSafeInteger(version) && Number.isSafeInteger(departedVersion);
  const isUuid = typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id);
  if (typeof tenant !== 'string' || !isUuid || !hasVersions || typeof active !== 'boolean') {
    throw new Error(`${where} is not a line of the output of --export`);
  }
  return {
    tenant,
    id,
    version: Number(version),
    active,
    deleted: deleted === true,
    departedVersion: Number(departedVersion),
  };
}

function databaseOf(service: 'auth' | 'directory'): string {
  const url = process.env[`DATABASE_URL_${service.toUpperCase()}`] || process.env.DATABASE_URL;
  if (!url) throw new Error('there is no database: set DATABASE_URL, or DATABASE_URL_AUTH and _DIRECTORY');
  return url;
}
