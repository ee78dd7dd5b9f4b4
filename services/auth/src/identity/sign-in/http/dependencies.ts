import type { TokenVerifier } from '@ostiary/access';
import type { ServiceKit } from '@ostiary/service';
import type { IdTokens, RoleDirectory } from '../../../access/index.ts';
import type { DocumentClientDependencies } from '../../../clients/documents/http/document-client.ts';
import type { AppLogos } from '../../../clients/http/client-logo.ts';
import type { ClientStore, SubjectIdentifier } from '../../../clients/index.ts';
import type { Attempts } from '../../../platform/index.ts';
import type { Subjects, Tenants } from '../../../tenancy/index.ts';
import type { TenantLooks } from '../../../tenancy/tenants/http/branding.ts';
import type { SessionRegister } from '../../sessions/domain/sessions.ts';
import type { SignInLog } from '../../sign-in-log/domain/sign-in-log.ts';
import type { Interactions } from '../domain/interaction.ts';
import type { Invitations } from '../domain/invitations.ts';
import type { Login, SubjectsByUserName } from '../domain/login.ts';
import type { Passkeys } from '../domain/passkeys.ts';
import type { Recovery } from '../domain/recovery.ts';
import type { SecondFactors } from '../domain/second-factors.ts';
import type { StagedPasswords } from '../domain/staged-passwords.ts';
import type { AuthorizationSteps } from './authorization-flow.ts';

/** Dependencies of every page of a tenant. */
export interface PageDependencies extends TenantLooks {
  kit: ServiceKit;
  tenants: Tenants;
  sessions: SessionRegister;
}

/** Dependencies of interactions. */
export interface InteractionDependencies extends PageDependencies, DocumentClientDependencies {
  env: { SESSION_ABSOLUTE_SECONDS: number; SIGN_INS_WAITING: number };
  clients: ClientStore;
  interactions: Interactions;
  attempts: Attempts;
  authorization: AuthorizationSteps;
}

/** Dependencies of the sign-in pages. */
export interface SignInDependencies extends InteractionDependencies, AppLogos {
  signInLog: SignInLog;
  subjects: Subjects & SubjectsByUserName;
  login: Login;
  secondFactors: SecondFactors;
  passkeys: Passkeys;
  recovery: Recovery;
  idTokens: IdTokens;
  subjectIdentifier: SubjectIdentifier;
}

/** Dependencies of the internal routes. */
export interface InternalSignInDependencies {
  env: { PASSWORD_MIN_LENGTH: number; INVITATION_TTL_SECONDS: number };
  tenants: Tenants;
  subjects: Subjects;
  verifier: TokenVerifier;
  stagedPasswords: StagedPasswords;
  invitations: Invitations;
  roleDirectory: RoleDirectory;
}
