import type pg from 'pg';

export interface DescribedColumn {
  name: string;
  /** Oid of the type. */
  type: number;
  /** Oid and attribute number of the unchanged source column; 0 for an expression. */
  table: number;
  attribute: number;
}

export interface Description {
  /** Oids of the types of parameters. */
  parameters: number[];
  columns: DescribedColumn[];
}

interface RowDescription {
  fields: { name: string; dataTypeID: number; tableID: number; columnID: number }[];
}

/** Methods of pg's Connection that its types omit. */
interface Wire {
  parse(message: { name: string; text: string; types: number[] }): void;
  describe(message: { type: 'S'; name: string }): void;
  sync(): void;
  once(event: 'parameterDescription', listener: (message: { dataTypeIDs: number[] }) => void): void;
  removeAllListeners(event: 'parameterDescription'): void;
}

/**
 * Prepares and describes a statement without executing it: Parse, Describe and Sync of the extended query
 * protocol (PostgreSQL, 54.2.3), with parameters of unspecified type, as pg sends them.
 */
class Describe implements pg.Submittable {
  readonly #text: string;
  readonly #answer = Promise.withResolvers<Description>();
  readonly #description: Description = { parameters: [], columns: [] };

  constructor(text: string) {
    this.#text = text;
  }

  get answer(): Promise<Description> {
    return this.#answer.promise;
  }

  submit(connection: pg.Connection): void {
    const wire = connection as unknown as Wire;
    wire.removeAllListeners('parameterDescription');
    wire.once('parameterDescription', ({ dataTypeIDs }) => {
      this.#description.parameters = dataTypeIDs;
    });
    wire.parse({ name: '', text: this.#text, types: [] });
    wire.describe({ type: 'S', name: '' });
    wire.sync();
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#description.columns = fields.map(({ name, dataTypeID, tableID, columnID }) => ({
      name,
      type: dataTypeID,
      table: tableID,
      attribute: columnID,
    }));
  }

  handleParseComplete(): void {}

  handleError(error: Error): void {
    this.#answer.reject(error);
  }

  handleReadyForQuery(): void {
    this.#answer.resolve(this.#description);
  }
}

/** @throws pg's DatabaseError if PostgreSQL rejects the statement */
export function describeStatement(client: pg.Client, text: string): Promise<Description> {
  const describe = new Describe(text);
  client.query(describe);
  return describe.answer;
}

/** Returns the names of types as in declarations: `text`, `uuid[]`. */
export async function typeNames(client: pg.Client, oids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await client.query<{ oid: number; name: string }>(
    `SELECT t.oid, coalesce(e.typname || '[]', t.typname) AS name
       FROM pg_type t LEFT JOIN pg_type e ON e.oid = t.typelem AND t.typcategory = 'A' WHERE t.oid = ANY($1::oid[])`,
    [[...new Set(oids)]],
  );
  return new Map(rows.map(({ oid, name }) => [oid, name]));
}

/** Returns the columns of tables that are never NULL, as `table:attribute`. */
export async function neverNull(
  client: pg.Client,
  columns: readonly DescribedColumn[],
): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ key: string }>(
    `SELECT attrelid || ':' || attnum AS key FROM pg_attribute WHERE attnotnull AND attrelid = ANY($1::oid[])`,
    [[...new Set(columns.map(({ table }) => table))]],
  );
  return new Set(rows.map(({ key }) => key));
}
