import type { TokenVerifier } from '@ostiary/access';
import type { ApiTokens } from '../../machines/index.ts';
import type { SessionList } from '../../sessions/index.ts';
import type { InteractionDependencies } from '../../sign-in/http/index.ts';
import type { Invitations, Passkeys, PasswordHasher, SecondFactors } from '../../sign-in/index.ts';
import type { Subjects } from '../../subjects/index.ts';
import type { Account } from '../domain/account.ts';

/** Dependencies of the account pages. */
export interface AccountDependencies extends InteractionDependencies {
  env: InteractionDependencies['env'] & { PASSWORD_MIN_LENGTH: number; PUBLIC_ORIGIN: string };
  verifier: TokenVerifier;
  issuer(tenant: string): string;
  subjects: Pick<Subjects, 'find'>;
  account: Account;
  sessionList: Pick<SessionList, 'ofSubjects'>;
  apiTokens: ApiTokens;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  passwords: PasswordHasher;
  invitations: Invitations;
  /** Store of values that are shown once, sealed by the caller. */
  sealedNotes: {
    keep(tenant: string, id: string, sealed: Buffer, seconds: number): Promise<void>;
    kept(tenant: string, id: string): Promise<Buffer | undefined>;
  };
}
