/**
 * The fast path gives way: Apollo Server, or the planner's own execution, has to decide this case. Says nothing about whether
 * anything is wrong with the operation or an answer.
 */
export class Fallback extends Error {}
