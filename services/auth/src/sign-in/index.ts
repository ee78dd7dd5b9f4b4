export type {
  AccessEnding,
  CredentialEvents,
  InvitationStore,
  LiveInvitation,
  PasswordStore,
} from './domain/credential-store.ts';
export type { Interactions } from './domain/interaction.ts';
export { Invitations } from './domain/invitations.ts';
export { Login, type LoginOptions } from './domain/login.ts';
export {
  type AcceptablePassword,
  checkNewPassword,
  namesOf,
  type PasswordFault,
  tenantWordsOf,
} from './domain/new-password.ts';
export { type NewPasskey, Passkeys } from './domain/passkeys.ts';
export { PasswordHasher } from './domain/password.ts';
export { defaultCost, type PasswordCost, passwordCost } from './domain/password-cost.ts';
export { isRecentSignIn, signInTerms } from './domain/recent-sign-in.ts';
export { Recovery } from './domain/recovery.ts';
export { endWeakGrants } from './domain/second-factor-required.ts';
export { SecondFactors, type TotpOffer, totpContext } from './domain/second-factors.ts';
export { SignInLimits } from './domain/sign-in-limits.ts';
export { SignInTally } from './domain/sign-in-tally.ts';
export { StagedPasswords } from './domain/staged-passwords.ts';
