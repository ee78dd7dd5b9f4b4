import type { TokenVerifier } from '@ostiary/access';
import type { ApiTokens } from '../../../access/index.ts';
import type { Apis } from '../../../clients/index.ts';
import type { Subjects } from '../../../tenancy/index.ts';
import type { SessionList } from '../../sessions/domain/session-list.ts';
import type { Invitations } from '../../sign-in/domain/invitations.ts';
import type { Passkeys } from '../../sign-in/domain/passkeys.ts';
import type { PasswordHasher } from '../../sign-in/domain/password.ts';
import type { SecondFactors } from '../../sign-in/domain/second-factors.ts';
import type { InteractionDependencies } from '../../sign-in/http/dependencies.ts';
import type { Account } from '../account.ts';

/** Dependencies of the account pages. */
export interface AccountDependencies extends InteractionDependencies {
  env: InteractionDependencies['env'] & { PASSWORD_MIN_LENGTH: number; PUBLIC_ORIGIN: string };
  verifier: TokenVerifier;
  issuer(tenant: string): string;
  subjects: Subjects;
  account: Account;
  apis: Pick<Apis, 'ofScopes'>;
  sessionList: SessionList;
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
