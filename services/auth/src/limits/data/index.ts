export { type Attempts, createAttempts } from './attempts.ts';
export { createGuesses } from './guesses.ts';
