export {
  PostgresSignInAttemptStore,
  PostgresSignInAttempts,
  pruneSignInAttempts,
} from './sign-in-attempts.ts';
