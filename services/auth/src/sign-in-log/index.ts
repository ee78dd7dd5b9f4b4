export type {
  AttemptReason,
  NewSignInAttempt,
  SignInFactor,
} from './domain/sign-in-attempts.ts';
export { SignInLog } from './domain/sign-in-log.ts';
