export type { AttemptLimit, Attempts, Guesses } from './domain/attempts.ts';
export { type Counter, countInTurn } from './domain/counted-in-turn.ts';
export { createRequestDocumentLimit, type RequestDocumentLimit } from './domain/request-document-limit.ts';
export {
  deviceCodeGuesses,
  interactionsOf,
  mostPushedBytes,
  passkeysOfAddress,
  pushedRequests,
  signInFailures,
} from './domain/shared-limits.ts';
