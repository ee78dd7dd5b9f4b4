/** An operation's text, with the types of its answer and variables for the compiler to know. */
export interface Operation<Data, Variables> {
  readonly text: string;
  /** Never there: it only carries the types. */
  readonly types?: (variables: Variables) => Data;
}

export const operation = <Data, Variables>(text: string): Operation<Data, Variables> => ({ text });
