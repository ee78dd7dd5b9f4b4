export type { AskedOperation } from './domain/asked-operation.ts';
export type { Attempted } from './domain/attempt.ts';
