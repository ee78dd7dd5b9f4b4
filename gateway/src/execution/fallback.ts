/**
 * Reasons why the fast path falls back to the query plan. The first are found when a plan is compiled, once for a
 * document; the others in the responses of the subgraphs. README.md lists each as a precondition.
 */
export const fallbackReasons = [
  'plan node',
  'rewrite',
  'representation',
  'directive',
  'name',
  'type condition',
  'type',
  'errors',
  'entities',
  'shape',
  'other type',
  'null',
  'value',
  'conflict',
] as const;

export type FallbackReason = (typeof fallbackReasons)[number];

/**
 * Leaves the case to Apollo Server or to the query plan. It does not mean that the operation or a
 * response is invalid.
 */
export class Fallback extends Error {
  readonly reason: FallbackReason;

  constructor(reason: FallbackReason) {
    super(`not on the fast path: ${reason}`);
    this.reason = reason;
  }
}
