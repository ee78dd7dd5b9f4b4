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

/** No objects of the schemas are managed externally. */
export const filters: SchemaFilter = { externalTables: [], externalEnums: [] };

/** PostgreSQL's internal "char", used in pg_constraint, which Prisma's adapter cannot read. */
const catalogChar = 18;
const text = 25;

/** Runs a statement on the engine's only connection. */
export type EngineQuery = <R extends object>(text: string, values?: unknown[]) => Promise<R[]>;

/** Prisma's schema engine for one PostgreSQL schema. */
export interface EngineSession {
  engine: SchemaEngine;
  /** On the engine's connection, which has the lock. */
  query: EngineQuery;
  /** PostgreSQL's error of the last failed migration script, more precise than the engine's. */
  scriptError(): pg.DatabaseError | undefined;
  close(): Promise<void>;
}

let panic: string | undefined;

/** Message of the engine's panic, if any; the thrown error has none. */
export const enginePanic = (): string | undefined => panic;

let loaded: Promise<typeof SchemaEngine> | undefined;

/**
 * Unreferences the engine's timers (ten seconds for its lock), which must not keep a finished process
 * running.
 */
function patientTimers(bindings: object): Record<string, (callback: () => void, ms: number) => unknown> {
  const names = Object.keys(bindings).filter((name) => name.startsWith('__wbg_setTimeout'));
  return Object.fromEntries(
    names.map((name) => [name, (callback, ms) => setTimeout(callback, ms >>> 0).unref()]),
  );
}

/**
 * Loads the engine as WebAssembly from the npm package; the default is a binary that Prisma downloads at
 * first use.
 */
function loadEngine(): Promise<typeof SchemaEngine> {
  loaded ??= (async () => {
    // The engine stores its panic message here; without it a panic appears as an unrelated TypeError.
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
 * Opens the engine on `url` with only `schema` visible, which is also the search_path, because the engine's
 * SQL and its _prisma_migrations table are unqualified. `prepare` runs first (the engine would create the
 * schema itself, and twice in concurrent runs).
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

/** The only connection, used by the engine and everything else. */
class EngineConnection {
  readonly pool: pg.Pool;
  /** Columns of a result whose type is PostgreSQL's internal "char". */
  readonly characters = new WeakMap<object, number[]>();

  constructor(url: string, schema: string) {
    this.pool = new pg.Pool({
      ...routingTo(url, `SET TIME ZONE 'UTC'; SET search_path TO ${pg.escapeIdentifier(schema)}`),
      Client: RoutedClient as unknown as new () => pg.ClientBase,
      max: 1,
      // Locks last as long as their connection.
      idleTimeoutMillis: 0,
      connectionTimeoutMillis: 5000,
      application_name: `ostiary migrations ${schema}`,
    } as pg.PoolConfig);
    this.pool.on('error', () => {});
    this.pool.query = ((statement: pg.QueryConfig) =>
      this.#queryReadably(statement)) as typeof this.pool.query;
  }

  /**
   * Overrides the pool's own query, which closes a connection after a failed statement (the first one of a
   * new schema fails, because there is no history yet), and would lose the locks.
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

/** Adapters for the engine that run a migration script as one transaction and record its error. */
class ScriptAwareAdapters implements SqlMigrationAwareDriverAdapterFactory {
  readonly provider: PrismaPg['provider'];
  readonly adapterName: PrismaPg['adapterName'];
  /** PostgreSQL's error of the last script, if it failed. */
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
   * Runs a script as one message, and so one transaction. Prisma's own method splits at every semicolon, also
   * inside functions and strings.
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

/**
 * Statements such as CREATE INDEX CONCURRENTLY cannot run in a transaction: their script must be a single
 * statement.
 */
const outsideTransaction = /\bconcurrently\b/i;

/** Reports whether a failure or killed process leaves nothing of this migration. */
export function isAtomic(script: string): boolean {
  return !outsideTransaction.test(script);
}

/**
 * Records the end of a migration in the script's transaction. The engine records it separately, so that a
 * migration interrupted in between would look failed.
 */
function recordingItsEnd(script: string): string {
  if (!isAtomic(script)) return script;
  return `${script}\n;UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL AND rolled_back_at IS NULL`;
}
