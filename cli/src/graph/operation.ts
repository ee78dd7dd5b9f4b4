/** The text of an operation, which knows what it takes and what it answers. */
export interface Operation<Result, Variables> {
  readonly text: string;
  readonly name: string;
  /** Never there: carries the types alone. */
  readonly types?: (variables: Variables) => Result;
}

export const operation = <Result, Variables>(name: string, text: string): Operation<Result, Variables> => ({
  name,
  text,
});
