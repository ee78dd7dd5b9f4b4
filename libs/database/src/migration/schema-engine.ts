import { readFile } from 'node:fs/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import {
  bindMigrationAwareSqlAdapterFactory,
  ColumnTypeEnum,
  DriverAdapterError,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils';
import type { SchemaEngine, SchemaFilter } from '@prisma/schema-engine-wasm/schema_engine_bg';
import pg from 'pg';

/** Part of Node, but its types come with the browser's, which are not loaded here. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array,
    imports: Record<string, object>,
  ): Promise<{ instance: { exports: Record<string, unknown> } }>;
};

/** Nothing in our schemas is managed by someone else. */
export const filters: SchemaFilter = { externalTables: [], externalEnums: [] };

/** PostgreSQL's internal "char", of which pg_constraint is full and which Prisma's adapter refuses to read. */
const catalogChar = 18;
const text = 25;

/** Runs a statement on the connection that the engine uses, of which there is only one. */
export type EngineQuery = <R extends object>(text: string, values?: unknown[]) => Promise<R[]>;

/** Prisma's schema engine at work on one PostgreSQL schema. */
export interface EngineSession {
  engine: SchemaEngine;
  /** What PostgreSQL said about the last migration script that failed: more to the point than the engine's report. */
  scriptError(): pg.DatabaseError | undefined;
  close(): Promise<void>;
}

let panic: string | undefined;

/** The engine's last words, if it has panicked: what it throws then says nothing. */
export const enginePanic = (): string | undefined => panic;

let loaded: Promise<typeof SchemaEngine> | undefined;

/** The engine's time limits (ten seconds for its lock) must not keep a finished process alive. */
function patientTimers(bindings: object): Record<string, (callback: () => void, ms: number) => unknown> {
  const names = Object.keys(bindings).filter((name) => name.startsWith('__wbg_setTimeout'));
  return Object.fromEntries(
    names.map((name) => [name, (callback, ms) => setTimeout(callback, ms >>> 0).unref()]),
  );
}

/** The engine as WebAssembly, from the npm package: the usual one is a binary that Prisma downloads when first used. */
function loadEngine(): Promise<typeof SchemaEngine> {
  loaded ??= (async () => {
    // Where the engine leaves its last words; without it a panic shows as an unrelated TypeError.
    Object.assign(globalThis, {
      PRISMA_WASM_PANIC_REGISTRY: {
        set_message(message: string) {
          panic = message;
        },
      },
    });
    const bindings = await import('@prisma/schema-engine-wasm/schema_engine_bg');
    const home = import.meta.resolve('@prisma/schema-engine-wasm/schema_engine_bg');
    const bytes = await readFile(new URL('schema_engine_bg.wasm', home));
    const { instance } = await WebAssembly.instantiate(bytes, {
      './schema_engine_bg.js': { ...bindings, ...patientTimers(bindings) },
    });
    bindings.__wbg_set_wasm(instance.exports);
    (instance.exports.__wbindgen_start as () => void)();
    return bindings.SchemaEngine;
  })();
  return loaded;
}

/**
 * Opens the engine on `url`, seeing only `schema`: it is the search_path too, since the engine writes its SQL, and the
 * name of its _prisma_migrations table, without one. `prepare` runs before the engine does anything (it would make the
 * schema by itself, and twice when started twice).
 */
export async function openEngine(
  url: string,
  schema: string,
  prepare: (query: EngineQuery) => Promise<void> = async () => {},
): Promise<EngineSession> {
  const SchemaEngineClass = await loadEngine();
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    // Locks live as long as their connection.
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 5000,
    application_name: `ostiary migrations ${schema}`,
    onConnect: (async (client: pg.ClientBase) => {
      await client.query(`SET TIME ZONE 'UTC'; SET search_path TO ${pg.escapeIdentifier(schema)}`);
    }) as (client: pg.ClientBase) => void,
  });
  pool.on('error', () => {});
  let failure: pg.DatabaseError | undefined;

  // The pool's own drops a connection whose statement failed (the first one of a new schema does: there is no history yet), and
  // the locks would go with it.
  const query = async (statement: string | pg.QueryConfig): Promise<pg.QueryArrayResult> => {
    const client = await pool.connect();
    try {
      return (await client.query(statement)) as unknown as pg.QueryArrayResult;
    } finally {
      client.release();
    }
  };
  const characters = new WeakMap<object, number[]>();
  pool.query = (async (statement: pg.QueryConfig) => {
    const result = await query(statement);
    const columns = [...result.fields.keys()].filter((i) => result.fields[i]?.dataTypeID === catalogChar);
    for (const i of columns) Object.assign(result.fields[i] ?? {}, { dataTypeID: text });
    characters.set(result.rows, columns);
    return result;
  }) as typeof pool.query;

  const prisma = new PrismaPg(pool, { schema });
  const factory: SqlMigrationAwareDriverAdapterFactory = {
    provider: prisma.provider,
    adapterName: prisma.adapterName,
    connectToShadowDb: () => prisma.connectToShadowDb(),
    async connect() {
      const adapter = await prisma.connect();
      const queryRaw = adapter.queryRaw.bind(adapter);
      adapter.queryRaw = async (statement) => {
        const result = await queryRaw(statement);
        for (const i of characters.get(result.rows) ?? []) result.columnTypes[i] = ColumnTypeEnum.Character;
        return result;
      };
      // Prisma's own splits at every semicolon, also inside functions and strings, and runs the pieces one by one.
      // As one message the script is one transaction.
      adapter.executeScript = async (script) => {
        failure = undefined;
        try {
          await query(recordingItsEnd(script));
        } catch (error) {
          failure = error as pg.DatabaseError;
          const { code = 'N/A', severity = 'ERROR', message, detail, column, hint } = failure;
          throw new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint });
        }
      };
      return adapter;
    },
  };
  let engine: SchemaEngine;
  try {
    await prepare(async (statement, values = []) => (await query({ text: statement, values })).rows as never);
    engine = await SchemaEngineClass.new(
      { datamodels: undefined },
      () => {},
      bindMigrationAwareSqlAdapterFactory(factory),
    );
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    engine,
    scriptError: () => failure,
    async close() {
      engine.free();
      await pool.end();
    },
  };
}

/** CREATE INDEX CONCURRENTLY and its like refuse to run in a transaction: such a script must be a single statement. */
const outsideTransaction = /\bconcurrently\b/i;

/** Does a failure (or a killed process) leave nothing behind of this migration? */
export function isAtomic(script: string): boolean {
  return !outsideTransaction.test(script);
}

/**
 * The engine notes in a statement of its own that a migration has ended; killed in between, a finished migration would
 * look like a failed one. Noting it in the script's transaction leaves no in-between.
 */
function recordingItsEnd(script: string): string {
  if (!isAtomic(script)) return script;
  return `${script}\n;UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL`;
}
