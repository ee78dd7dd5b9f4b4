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

const statements: Registered[] = [];

/** A name may be taken already: by a statement of another service that is loaded beside this one, as tests do. */
export function register(statement: Registered): void {
  statements.push(statement);
}

/**
 * All statements of the modules that have been loaded, in the order of their names.
 * @throws Error when two have the same name
 */
export function registeredStatements(): readonly Registered[] {
  const sorted = [...statements].sort((a, b) => (a.name < b.name ? -1 : 1));
  const twice = sorted.find(({ name }, index) => sorted[index + 1]?.name === name);
  if (twice !== undefined) throw new Error(`There are two statements with the name ${twice.name}.`);
  return sorted;
}
