/**
 * Why the fast path gives way. The first ones are found when a plan is compiled, once for a document; the others in what the subgraphs
 * answer. README.md says each of them as a precondition.
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
 * Apollo Server, or the planner's own execution, has to decide this case. Says nothing about whether anything is wrong with the
 * operation or an answer.
 */
export class Fallback extends Error {
  readonly reason: FallbackReason;

  constructor(reason: FallbackReason) {
    super(`not on the fast path: ${reason}`);
    this.reason = reason;
  }
}
