/** Text of an operation, with the types of its answer and variables. */
export interface Operation<Data, Variables> {
  readonly text: string;
  /** Never set; carries the types. */
  readonly types?: (variables: Variables) => Data;
}

export const operation = <Data, Variables>(text: string): Operation<Data, Variables> => ({ text });
