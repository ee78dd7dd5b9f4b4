export { type Change, useChange } from './change.ts';
export { createClient, type StepUpDemand } from './client.ts';
export { useTheirs } from './conflict.ts';
export { type Paged, useConnection } from './connection.ts';
export { FailureNote, otherProblem, problemAt } from './failure-note.tsx';
export { LiveProvider, useLiveState } from './live-context.tsx';
export { LiveState } from './live-state.ts';
export { type Failure, failureOf, type Problem, problemText } from './problems.ts';
export { useOnChange } from './use-on-change.ts';
