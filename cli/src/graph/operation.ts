/** Text of an operation, with the types of its variables and its result. */
export interface Operation<Result, Variables> {
  readonly text: string;
  readonly name: string;
  /** Never set: carries the types. */
  readonly types?: (variables: Variables) => Result;
}

export const operation = <Result, Variables>(name: string, text: string): Operation<Result, Variables> => ({
  name,
  text,
});
