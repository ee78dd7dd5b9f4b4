import type { Columns, Parameters } from './types.ts';

/** Facts by which a test compares a statement with the database. */
export interface Registered {
  readonly name: string;
  readonly reason: string;
  /** Undefined for composed texts, of which only the number of parameters is compared. */
  readonly parameters: Parameters | undefined;
  readonly columns: Columns;
  /** Returns every possible text, or examples. */
  variants(): readonly { text: string; values?: readonly unknown[] }[];
}

const statements: Registered[] = [];

/** A name may exist already: statements of another service loaded in the same process, as in tests. */
export function register(statement: Registered): void {
  statements.push(statement);
}

/**
 * Returns all statements of the loaded modules, by name.
 * @throws Error if two have the same name
 */
export function registeredStatements(): readonly Registered[] {
  const sorted = [...statements].sort((a, b) => (a.name < b.name ? -1 : 1));
  const twice = sorted.find(({ name }, index) => sorted[index + 1]?.name === name);
  if (twice !== undefined) throw new Error(`There are two statements with the name ${twice.name}.`);
  return sorted;
}
