import type { DpopProofs, TokenVerifier } from '@ostiary/access';
import type { ServiceKit } from '@ostiary/service';
import type { FastifyRequest } from 'fastify';
import type {
  AuthorizationCodes,
  endGrant,
  GrantStore,
  IdTokens,
  RefreshTokenCodec,
  RefreshTokenParts,
} from '../../access/index.ts';
import type { ClientAuthenticationDependencies } from '../../clients/http/client-authentication.ts';
import type { Apis, Client, ClientStore, SubjectIdentifier } from '../../clients/index.ts';
import type { ActingSession, SecondFactors } from '../../identity/index.ts';
import type { SignInDependencies } from '../../identity/sign-in/http/dependencies.ts';
import type { Parameters as FormParameters } from '../../platform/index.ts';
import type { Signer, SigningAlgorithm, Subjects, Tenants } from '../../tenancy/index.ts';
import type { ClaimMapper } from '../claims/domain/claim-mapper.ts';
import type { AccessTokens } from '../domain/access-token.ts';
import type { GivenConsents } from '../domain/authorization.ts';
import type { DeviceCodes } from '../domain/device-authorization.ts';
import type { DeviceRequestLimit } from '../domain/device-request-limit.ts';
import type { FeedLiveness } from '../domain/feed-liveness.ts';
import type { authorizationCodeGrant } from '../domain/grant-authorization-code.ts';
import type { IdTokenIssuer } from '../domain/id-token.ts';
import type { Introspection } from '../domain/introspection.ts';
import type { UserClaims } from '../domain/person-claims.ts';
import type { PushedRequests } from '../domain/pushed-request.ts';
import type { PushedRequestLimit } from '../domain/pushed-request-limit.ts';
import type { RequestObjects } from '../domain/request-objects.ts';

/** Dependencies of the decisions about an authorization request. */
export interface AuthorizationFlowDependencies {
  clock: () => number;
  tenants: Tenants;
  subjects: Subjects;
  secondFactors: SecondFactors;
  consents: GivenConsents;
  clients: ClientStore;
  subjectIdentifier: SubjectIdentifier;
  idTokens: IdTokens;
  deviceCodes: DeviceCodes;
  pushedRequests: PushedRequests;
  authorizationCodes: AuthorizationCodes;
  issuer(tenant: string): string;
}

export interface Consents extends GivenConsents {
  /**
   * Adds scopes to the consent of a user for a client, unless the consent was withdrawn or the client changed in the
   * meantime.
   */
  remember(
    tenant: string,
    user: { session: ActingSession; withdrawals: number; clientVersion: number },
    clientId: string,
    scopes: readonly string[],
  ): Promise<void>;
}

/** Dependencies of the pages of the authorization endpoint and the device flow. */
export interface AuthorizationDependencies extends SignInDependencies {
  apis: Pick<Apis, 'ofScopes'>;
  consents: Consents;
  deviceCodes: DeviceCodes;
  pushedRequests: PushedRequests;
  requestObjects: RequestObjects;
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
  kit: ServiceKit;
  verifier: TokenVerifier;
  clients: ClientStore;
  clientUses: { note(tenant: string, clientId: string): void };
  /** Report whether a tenant accepts clients with a metadata document, and no dynamic registration. */
  documentClients: {
    areOpen(tenant: string): Promise<boolean>;
    isRegistrationOff(tenant: string): Promise<boolean>;
  };
  subjects: Subjects;
  userClaims: UserClaims;
  claimMapper: ClaimMapper;
  signingKeys: { signer(tenant: string, algorithm: SigningAlgorithm): Promise<Signer> };
  accessTokens: AccessTokens;
  idTokens: IdTokenIssuer;
  refreshTokens: RefreshTokenCodec;
  grantStore: GrantStore;
  authorizationCodes: AuthorizationCodeStore;
  introspection: Introspection;
  tokenLiveness: FeedLiveness;
  tokenStatus: {
    grantOf(tenant: string, token: RefreshTokenParts): Promise<{ clientId: string; grantId: string } | null>;
  };
  deviceCodes: DeviceCodes;
  deviceRequestLimit: DeviceRequestLimit;
  pushedRequests: PushedRequests;
  pushedRequestLimit: PushedRequestLimit;
  requestObjects: RequestObjects;
  /**
   * Returns the service account that an assertion authenticates; undefined if a client presents it (RFC 7521 §4.1).
   */
  assertingAccount(
    tenant: string,
    request: FastifyRequest,
    parameters: FormParameters,
  ): Promise<Client | undefined>;
  /** Verifier of proofs of possession (RFC 9449). */
  proofs: DpopProofs;
}

/** Dependencies of the protocol endpoints without pages. */
export type OAuthEndpointDependencies = EndpointDependencies &
  ClientAuthenticationDependencies &
  GrantEndDependencies;
