import { readdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { declareIn } from './by-schema.ts';
import { type Registered, registeredStatements } from './registry.ts';

/** Calls that declare statements: `statement`, `composedStatement`, and functions that declare several. */
const declares = /\b(?:\w*[sS]tatements?|sealedColumn|confirmedEvents|liveOutbox)\(/;
const isSource = (name: string): boolean => name.endsWith('.ts') && !/\.(?:test|d)\.ts$/.test(name);

/** Matches files with generated code, which contain no written statements. */
const isGenerated = (path: string): boolean => /(?:^|\/)(?:generated|node_modules|dist)\//.test(path);

async function sourcesIn(folder: string): Promise<{ path: string; text: string }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !isGenerated(`${relative(folder, path)}`))
    .sort();
  return Promise.all(paths.map(async (path) => ({ path, text: await readFile(path, 'utf8') })));
}

/**
 * Loads every file of a source folder that declares statements, including future ones.
 * @param on schema of a migrated database, which adds the statements of packages on its tables
 * @returns all declared statements: the folder's, and those of the packages that it loads
 */
export async function statementsIn(
  folder: string,
  on?: { url: string; schema: string },
): Promise<readonly Registered[]> {
  for (const { path, text } of await sourcesIn(folder)) {
    if (declares.test(text)) await import(pathToFileURL(path).href);
  }
  if (on) declareIn(on.schema, await tablesIn(on));
  return registeredStatements();
}

/** Returns the tables, and their columns as `table.column`. */
async function tablesIn({ url, schema }: { url: string; schema: string }): Promise<ReadonlySet<string>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = $1
       UNION SELECT table_name || '.' || column_name FROM information_schema.columns WHERE table_schema = $1`,
      [schema],
    );
    return new Set(rows.map(({ name }) => name));
  } finally {
    await client.end();
  }
}

/** Calls that send SQL directly, with or without a row type, including those of Prisma. */
const sends = /\.query\s*[<(]|\$(?:query|execute)Raw/g;

/** Returns the places in a source folder that send undeclared SQL, as `path:line` relative to the folder. */
export async function undeclaredSql(folder: string): Promise<string[]> {
  const places = (await sourcesIn(folder)).map(({ path, text }) =>
    [...text.matchAll(sends)].map(
      ({ index }) => `${relative(folder, path)}:${text.slice(0, index).split('\n').length}`,
    ),
  );
  return places.flat();
}
