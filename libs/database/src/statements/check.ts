import pg from 'pg';
import {
  type DescribedColumn,
  type Description,
  describeStatement,
  neverNull,
  typeNames,
} from './describe.ts';
import type { Registered } from './registry.ts';
import { declaredType } from './types.ts';

/** Clauses that may make a result column NULL although the table's column is not. */
const joinsOuter = /\b(left|right|full|rollup|cube|grouping|old|new|union|except|intersect)\b/i;

/** A text of a statement with PostgreSQL's description of it. */
interface Compared {
  statement: Registered;
  text: string;
  /** Number of values of a composed text. */
  values: number | undefined;
  description: Description;
}

/**
 * Prepares statements and compares PostgreSQL's description with their declaration: types of parameters and
 * columns, names of columns, and NULLs of unchanged table columns. Does not execute them.
 * @param url URL of the migrated database @returns the differences, one sentence each
 */
export async function checkStatements(url: string, statements: readonly Registered[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const faults: string[] = [];
    const compared: Compared[] = [];
    for (const statement of statements) {
      const variants = statement.variants();
      if (variants.length === 0) faults.push(`${statement.name}: it has no example.`);
      for (const { text, values } of variants) {
        try {
          const description = await describeStatement(client, text);
          compared.push({ statement, text, values: values?.length, description });
        } catch (error) {
          faults.push(`${statement.name}: PostgreSQL rejects it: ${(error as Error).message}.`);
        }
      }
    }
    return [...faults, ...(await differences(client, compared))];
  } finally {
    await client.end();
  }
}

async function differences(client: pg.Client, compared: readonly Compared[]): Promise<string[]> {
  const columns = compared.flatMap(({ description }) => description.columns);
  const oids = compared.flatMap(({ description }) => description.parameters);
  const names = await typeNames(client, [...oids, ...columns.map(({ type }) => type)]);
  const nameOf = (oid: number): string => names.get(oid) ?? `type ${oid}`;
  const present = await neverNull(client, columns);
  return compared.flatMap((one) =>
    [
      ...parameterFaults(one, nameOf),
      ...columnFaults(one, nameOf),
      ...nullFaults(one, ({ table, attribute }) => present.has(`${table}:${attribute}`)),
    ].map((fault) => `${one.statement.name}: ${fault}.`),
  );
}

function parameterFaults({ statement, values, description }: Compared, nameOf: (oid: number) => string) {
  const { parameters } = description;
  if (statement.parameters === undefined) {
    return parameters.length === values
      ? []
      : [`it has ${parameters.length} parameters and ${values} values`];
  }
  return Object.entries(statement.parameters).flatMap(([name, declared], index) => {
    const oid = parameters[index];
    const found = oid === undefined ? 'nothing' : nameOf(oid);
    const { type } = declaredType(declared);
    return found === type ? [] : [`the parameter ${name} is ${found}, declared as ${type}`];
  });
}

function columnFaults({ statement, description }: Compared, nameOf: (oid: number) => string): string[] {
  const found = new Map(description.columns.map((column) => [column.name, column]));
  const faults = Object.entries(statement.columns).flatMap(([name, declared]) => {
    const column = found.get(name);
    if (!column) return [`it returns no column ${name}`];
    const { type } = declaredType(declared);
    const actual = nameOf(column.type);
    return actual === type ? [] : [`the column ${name} is ${actual}, declared as ${type}`];
  });
  const undeclared = description.columns.filter(({ name }) => !(name in statement.columns));
  const twice = found.size === description.columns.length ? [] : ['it returns two columns of one name'];
  return [
    ...faults,
    ...undeclared.map(({ name }) => `it returns a column ${name}, which is not declared`),
    ...twice,
  ];
}

function nullFaults(
  { statement, text, description }: Compared,
  neverNullInTable: (column: DescribedColumn) => boolean,
): string[] {
  return description.columns.flatMap((column) => {
    const declared = statement.columns[column.name];
    if (declared === undefined || column.table === 0) return [];
    const { nulls } = declaredType(declared);
    const never = neverNullInTable(column);
    if (never && nulls !== 'none' && !joinsOuter.test(text)) {
      return [`the column ${column.name} is never NULL, but is declared as nullable`];
    }
    return never || nulls !== 'none'
      ? []
      : [`the column ${column.name} may be NULL, but is declared as not null`];
  });
}
