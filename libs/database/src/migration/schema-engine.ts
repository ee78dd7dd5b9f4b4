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
import { RoutedClient, routingTo } from '../connection/routed-client.ts';

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
  /** On the engine's own connection, on which the lock is. */
  query: EngineQuery;
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
  const connection = new EngineConnection(url, schema);
  try {
    await prepare((statement, values) => connection.rows(statement, values));
    const factory = new ScriptAwareAdapters(connection, schema);
    const engine = await SchemaEngineClass.new(
      { datamodels: undefined },
      () => {},
      bindMigrationAwareSqlAdapterFactory(factory),
    );
    return {
      engine,
      query: (statement, values) => connection.rows(statement, values),
      scriptError: () => factory.scriptError,
      async close() {
        engine.free();
        await connection.end();
      },
    };
  } catch (error) {
    await connection.end();
    throw error;
  }
}

/** The one connection that the engine and everything beside it use. */
class EngineConnection {
  readonly pool: pg.Pool;
  /** Of the rows of a result, the columns that PostgreSQL's internal "char" was in. */
  readonly characters = new WeakMap<object, number[]>();

  constructor(url: string, schema: string) {
    this.pool = new pg.Pool({
      ...routingTo(url, `SET TIME ZONE 'UTC'; SET search_path TO ${pg.escapeIdentifier(schema)}`),
      Client: RoutedClient as unknown as new () => pg.ClientBase,
      max: 1,
      // Locks live as long as their connection.
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: 5000,
      application_name: `ostiary migrations ${schema}`,
    } as pg.PoolConfig);
    this.pool.on('error', () => {});
    this.pool.query = ((statement: pg.QueryConfig) =>
      this.#queryReadably(statement)) as typeof this.pool.query;
  }

  /**
   * The pool's own drops a connection whose statement failed (the first one of a new schema does: there is no history yet), and
   * the locks would go with it.
   */
  async query(statement: string | pg.QueryConfig): Promise<pg.QueryArrayResult> {
    const client = await this.pool.connect();
    try {
      return (await client.query(statement)) as unknown as pg.QueryArrayResult;
    } finally {
      client.release();
    }
  }

  async rows<R extends object>(statement: string, values: unknown[] = []): Promise<R[]> {
    return (await this.query({ text: statement, values })).rows as never;
  }

  end(): Promise<void> {
    return this.pool.end();
  }

  async #queryReadably(statement: pg.QueryConfig): Promise<pg.QueryArrayResult> {
    const result = await this.query(statement);
    const columns = [...result.fields.keys()].filter((i) => result.fields[i]?.dataTypeID === catalogChar);
    for (const i of columns) Object.assign(result.fields[i] ?? {}, { dataTypeID: text });
    this.characters.set(result.rows, columns);
    return result;
  }
}

/** Prisma's adapters for the engine, which run a migration script as one transaction and remember why it failed. */
class ScriptAwareAdapters implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider: PrismaPg['provider'];
  readonly adapterName: PrismaPg['adapterName'];
  /** What PostgreSQL said about the last script, if it failed. */
  scriptError: pg.DatabaseError | undefined;
  readonly #connection: EngineConnection;
  readonly #prisma: PrismaPg;

  constructor(connection: EngineConnection, schema: string) {
    this.#connection = connection;
    this.#prisma = new PrismaPg(connection.pool, { schema });
    this.provider = this.#prisma.provider;
    this.adapterName = this.#prisma.adapterName;
  }

  connectToShadowDb(): ReturnType<PrismaPg['connectToShadowDb']> {
    return this.#prisma.connectToShadowDb();
  }

  async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await this.#prisma.connect();
    const queryRaw = adapter.queryRaw.bind(adapter);
    adapter.queryRaw = async (statement) => {
      const result = await queryRaw(statement);
      const characters = this.#connection.characters.get(result.rows) ?? [];
      for (const i of characters) result.columnTypes[i] = ColumnTypeEnum.Character;
      return result;
    };
    adapter.executeScript = (script) => this.#execute(script);
    return adapter;
  }

  /**
   * Prisma's own splits at every semicolon, also inside functions and strings, and runs the pieces one by one. As one message the
   * script is one transaction.
   */
  async #execute(script: string): Promise<void> {
    this.scriptError = undefined;
    try {
      await this.#connection.query(recordingItsEnd(script));
    } catch (error) {
      this.scriptError = error as pg.DatabaseError;
      const { code = 'N/A', severity = 'ERROR', message, detail, column, hint } = this.scriptError;
      throw new DriverAdapterError({ kind: 'postgres', code, severity, message, detail, column, hint });
    }
  }
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
