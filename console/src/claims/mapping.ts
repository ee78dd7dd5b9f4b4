/** Claim of tokens, with the expression of its value. */
export interface Mapping {
  name: string;
  expression: string;
  required: boolean;
}

/** Returns the mappings as input of the graph, without rows that are empty. */
export const inputOf = (mappings: readonly Mapping[]): Mapping[] =>
  mappings
    .map(({ name, expression, required }) => ({
      name: name.trim(),
      expression: expression.trim(),
      required,
    }))
    .filter(({ name, expression }) => name !== '' || expression !== '');
