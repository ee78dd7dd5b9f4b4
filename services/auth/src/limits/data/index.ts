export { RedisAttempts } from './attempts.ts';
export { PostgresGuesses } from './guesses.ts';
