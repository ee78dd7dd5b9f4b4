import type { ClientStore, SubjectIdentifier } from '../../clients/index.ts';
import type { AuthorizationCodes, IdTokens } from '../../grants/index.ts';
import type { ActingSession } from '../../sessions/index.ts';
import type { SignInDependencies } from '../../sign-in/http/index.ts';
import type { SecondFactors } from '../../sign-in/index.ts';
import type { Subjects } from '../../subjects/index.ts';
import type { Tenants } from '../../tenants/index.ts';
import type { GivenConsents } from '../domain/authorization.ts';
import type { DeviceAuthorizations } from '../domain/device-authorization.ts';
import type { PushedRequests } from '../domain/pushed-request.ts';
import type { RequestObjects } from '../domain/request-objects.ts';

/** What decides how an authorization request goes on. */
export interface AuthorizationFlowDependencies {
  clock: () => number;
  tenants: Pick<Tenants, 'find'>;
  subjects: Pick<Subjects, 'find'>;
  secondFactors: Pick<SecondFactors, 'required'>;
  consents: GivenConsents;
  clients: Pick<ClientStore, 'find'>;
  subjectIdentifier: SubjectIdentifier;
  idTokens: Pick<IdTokens, 'readHint'>;
  deviceAuthorizations: Pick<DeviceAuthorizations, 'approve' | 'deny'>;
  pushedRequests: Pick<PushedRequests, 'use'>;
  authorizationCodes: AuthorizationCodes;
  /** Issuer of a tenant. */
  issuer(tenant: string): string;
}

/** What users allow clients. */
export interface Consents extends GivenConsents {
  /** Remembers what a user allowed a client, added to what they allowed it before, unless that was taken back meanwhile. */
  remember(
    tenant: string,
    user: { session: ActingSession; withdrawals: number },
    clientId: string,
    scopes: readonly string[],
  ): Promise<void>;
}

/** What the pages of the authorization endpoint and the device's are made from. */
export interface AuthorizationDependencies extends SignInDependencies {
  consents: Consents;
  deviceAuthorizations: DeviceAuthorizations;
  pushedRequests: PushedRequests;
  requestObjects: RequestObjects;
  /** Issuer of a tenant. */
  issuer(tenant: string): string;
}
