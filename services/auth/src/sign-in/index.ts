export { createInvitations, type Invitations } from './domain/invitations.ts';
export { createLogin, type Login } from './domain/login.ts';
export {
  type AcceptablePassword,
  checkNewPassword,
  namesOf,
  type PasswordFault,
  tenantWordsOf,
} from './domain/new-password.ts';
export { createPasskeys, type Passkeys } from './domain/passkeys.ts';
export { createPasswordHasher, type PasswordHasher } from './domain/password.ts';
export { isRecentSignIn, signInTerms } from './domain/recent-sign-in.ts';
export { createRecovery, type Recovery } from './domain/recovery.ts';
export { endWeakGrants } from './domain/second-factor-required.ts';
export {
  createSecondFactors,
  type SecondFactors,
  type TotpOffer,
  totpContext,
} from './domain/second-factors.ts';
export { createSignInLimits } from './domain/sign-in-limits.ts';
export { SignInTally } from './domain/sign-in-tally.ts';
export { createStagedPasswords, type StagedPasswords } from './domain/staged-passwords.ts';
