export type { AttemptLimit, Attempts, Guesses } from './domain/attempts.ts';
export { type Counter, countInTurn } from './domain/counted-in-turn.ts';
export {
  deviceCodeGuesses,
  interactionsOf,
  mostPushedBytes,
  passkeysOfAddress,
  platformSecretGuesses,
  pushedRequests,
  requestDocuments,
  signInFailures,
} from './domain/shared-limits.ts';
