import type { DpopProofs, TokenVerifier } from '@ostiary/access';
import type { ServiceKit } from '@ostiary/service';
import type { FastifyRequest } from 'fastify';
import type { ClientAuthenticationDependencies } from '../../clients/http/index.ts';
import type { Client, ClientStore, SubjectIdentifier } from '../../clients/index.ts';
import type {
  AuthorizationCodes,
  endGrant,
  GrantStore,
  IdTokens,
  RefreshTokenCodec,
  RefreshTokenParts,
} from '../../grants/index.ts';
import type { Signer, SigningAlgorithm } from '../../keys/index.ts';
import type { Parameters as FormParameters } from '../../protocol/index.ts';
import type { ActingSession } from '../../sessions/index.ts';
import type { SignInDependencies } from '../../sign-in/http/index.ts';
import type { SecondFactors } from '../../sign-in/index.ts';
import type { Subjects } from '../../subjects/index.ts';
import type { Tenants } from '../../tenants/index.ts';
import type { AccessTokens } from '../domain/access-token.ts';
import type { GivenConsents } from '../domain/authorization.ts';
import type { DeviceAuthorizations, DeviceCodes } from '../domain/device-authorization.ts';
import type { DeviceRequestLimit } from '../domain/device-request-limit.ts';
import type { authorizationCodeGrant } from '../domain/grant-authorization-code.ts';
import type { IdTokenIssuer } from '../domain/id-token.ts';
import type { Introspection } from '../domain/introspection.ts';
import type { GrantWitness } from '../domain/liveness.ts';
import type { PersonClaims } from '../domain/person-claims.ts';
import type { PushedRequests } from '../domain/pushed-request.ts';
import type { PushedRequestLimit } from '../domain/pushed-request-limit.ts';
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
  /** Remembers what a user allowed a client, added to what they allowed it before, unless that was taken back or the client changed meanwhile. */
  remember(
    tenant: string,
    user: { session: ActingSession; withdrawals: number; clientVersion: number },
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

type GrantEndDependencies = Parameters<typeof endGrant>[0];
type AuthorizationCodeStore = Parameters<typeof authorizationCodeGrant>[0]['codes'];

interface EndpointDependencies {
  env: {
    ACCESS_TOKEN_TTL_SECONDS: number;
    PUBLIC_ORIGIN: string;
    DEVICE_FLOW_ENABLED: boolean;
    REFRESH_TOKEN_IDLE_SECONDS: number;
    REFRESH_TOKEN_ABSOLUTE_SECONDS: number;
    REFRESH_RETRY_WINDOW_SECONDS: number;
  };
  kit: Pick<ServiceKit, 'clock' | 'metrics'>;
  verifier: TokenVerifier;
  clients: ClientAuthenticationDependencies['clients'] & Pick<ClientStore, 'find'>;
  subjects: Subjects;
  personClaims: PersonClaims;
  signingKeys: { signer(tenant: string, algorithm: SigningAlgorithm): Promise<Signer> };
  accessTokens: AccessTokens;
  idTokens: IdTokenIssuer;
  refreshTokens: RefreshTokenCodec;
  grantStore: GrantStore;
  authorizationCodes: AuthorizationCodeStore;
  introspection: Introspection;
  tokenLiveness: GrantWitness;
  /** Whose live refresh token this is. */
  tokenStatus: {
    grantOf(tenant: string, token: RefreshTokenParts): Promise<{ clientId: string; grantId: string } | null>;
  };
  deviceCodes: DeviceCodes;
  deviceRequestLimit: DeviceRequestLimit;
  pushedRequests: PushedRequests;
  pushedRequestLimit: PushedRequestLimit;
  requestObjects: RequestObjects;
  /** The service account that an assertion authenticates; undefined when a client presents it (RFC 7521 §4.1). */
  assertingAccount(
    tenant: string,
    request: FastifyRequest,
    parameters: FormParameters,
  ): Promise<Client | undefined>;
  /** Verifies proofs of possession (RFC 9449). */
  proofs: DpopProofs;
}

/** What the protocol's endpoints are made from, those that need no page. */
export type OAuthEndpointDependencies = EndpointDependencies &
  ClientAuthenticationDependencies &
  GrantEndDependencies;
