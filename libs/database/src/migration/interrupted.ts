import type { MigrationList } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';
import type { EngineQuery } from './schema-engine.ts';

/** An index that a single statement outside of a transaction creates or drops. */
interface LoneIndex {
  action: 'create' | 'drop';
  index: string;
}

const comments = /--[^\n]*|\/\*[\s\S]*?\*\//g;
const name = String.raw`(?:"((?:[^"]|"")+)"|([a-z_][\w$]*))`;
const creating = new RegExp(
  String.raw`^create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?${name}\s+on\s[^;]*;?$`,
  'i',
);
const dropping = new RegExp(
  String.raw`^drop\s+index\s+concurrently\s+(?:if\s+exists\s+)?${name}\s*(?:cascade|restrict)?\s*;?$`,
  'i',
);

/** Returns the index of a script that is a single repeatable statement; undefined for any other script. */
export function loneIndexOf(script: string): LoneIndex | undefined {
  const statement = script.replace(comments, ' ').trim();
  for (const [action, pattern] of [
    ['create', creating],
    ['drop', dropping],
  ] as const) {
    const found = pattern.exec(statement);
    if (found) return { action, index: found[1]?.replaceAll('""', '"') ?? (found[2] ?? '').toLowerCase() };
  }
  return undefined;
}

/** State of an interrupted migration (killed process, lost connection, or an error). */
type Outcome = 'done' | 'to be done';

/**
 * Drops the rest of an interrupted index build or removal: PostgreSQL keeps it as invalid, updates it with
 * every row, uses it in no query, and rejects building it again. Requires the lock of migrations, because
 * another process may be building it.
 */
export async function clearIndex(query: EngineQuery, schema: string, lone: LoneIndex): Promise<Outcome> {
  const [found] = await query<{ usable: boolean }>(
    `SELECT i.indisvalid AND i.indisready AS usable FROM pg_index i
     JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relname = $2`,
    [schema, lone.index],
  );
  if (lone.action === 'drop') return found ? 'to be done' : 'done';
  if (found?.usable) return 'done';
  if (found) {
    const place = `${pg.escapeIdentifier(schema)}.${pg.escapeIdentifier(lone.index)}`;
    await query(`DROP INDEX CONCURRENTLY IF EXISTS ${place}`);
  }
  return 'to be done';
}

/** Returns the script of a migration in the list; empty if it is missing. */
export const scriptOf = (list: MigrationList, migration: string): string => {
  const content = list.migrationDirectories.find(({ path }) => path === migration)?.migrationFile.content;
  return content?.tag === 'ok' ? content.value : '';
};
