import type { Columns, Parameters } from './types.ts';

/** What a test needs to know of a statement to compare it with the database. */
export interface Registered {
  readonly name: string;
  readonly reason: string;
  /** Undefined where the text is composed for each use: only how many it has is compared then. */
  readonly parameters: Parameters | undefined;
  readonly columns: Columns;
  /** Every text it can have, or examples of them. */
  variants(): readonly { text: string; values?: readonly unknown[] }[];
}

const statements = new Map<string, Registered>();

/** @throws Error when a statement has this name already */
export function register(statement: Registered): void {
  if (statements.has(statement.name)) {
    throw new Error(`There are two statements with the name ${statement.name}.`);
  }
  statements.set(statement.name, statement);
}

/** All statements of the modules that have been loaded, in the order of their names. */
export const registeredStatements = (): readonly Registered[] =>
  [...statements.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
