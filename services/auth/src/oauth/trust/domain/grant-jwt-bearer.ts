import { isUuid, uuidv7 } from '@ostiary/service';
import { countingRoles, parseScope, permittedScopes, scopesForClient } from '../../../access/index.ts';
import {
  type AssertingAccounts,
  type Client,
  type ClientKey,
  checkAssertionClaims,
  isSignedByOneOf,
  jwtBearerGrantType,
  keysFor,
  readKeys,
} from '../../../clients/index.ts';
import { requireScopesLeft, single, withinScopes } from '../../../platform/index.ts';
import type { AccessTokens, IssuedToken } from '../../domain/access-token.ts';
import { resourcesOfTokenRequest } from '../../domain/access-tokens/target.ts';
import {
  type GrantHandler,
  required,
  type TokenRequest,
  type TokenResponse,
} from '../../domain/token-request.ts';
import type { AssertedGrants, AssertedSubject } from './asserted-grants.ts';
import { invalidAssertion, type PresentedAssertion, readAssertion } from './asserted-identity.ts';
import type { TrustedIssuer } from './trusted-issuer-store.ts';

export interface JwtBearerDependencies {
  accessTokens: AccessTokens;
  assertedGrants: AssertedGrants;
  serviceAccounts: AssertingAccounts;
  /**
   * Returns the key set at a URI; `refresh` requests a newer one than before.
   * @throws ServiceUnavailable
   */
  keysAt: (uri: string, refresh: boolean) => Promise<unknown>;
  /** Marks an assertion as used, atomically. Returns false when it was used before. */
  use: (tenant: string, issuer: string, jti: string, milliseconds: number) => Promise<boolean>;
  clock: () => number;
  /** Lifetime in seconds. */
  accessTokenLifetime: number;
}

/**
 * grant_type=jwt-bearer (RFC 7523 §2.1): a signed assertion instead of a sign-in. It is either from a trusted issuer
 * about a user of the tenant, presented by an allowed client, or from a service account about itself, signed with its
 * own key.
 */
export const jwtBearerGrant =
  (deps: JwtBearerDependencies): GrantHandler =>
  async (request) => {
    const assertion = readAssertion(required(request.parameters, 'assertion'));
    const audiences = [request.issuer, `${request.issuer}/token`];
    const { jti, livesMs } = checkAssertionClaims(assertion, audiences, deps.clock(), invalidAssertion);
    const isOwn = isUuid(assertion.issuer) && assertion.issuer === request.client.clientId;
    const checked = isOwn
      ? await ofServiceAccount(deps, request, assertion)
      : await ofIssuer(deps, request, assertion);
    // Checked last, so that only the signer can use up an assertion.
    if (!(await deps.use(request.tenant, assertion.issuer, jti, livesMs)))
      throw invalidAssertion('used before');
    return checked();
  };

type Issuance = () => Promise<TokenResponse>;

async function ofServiceAccount(
  deps: JwtBearerDependencies,
  request: TokenRequest,
  assertion: PresentedAssertion,
): Promise<Issuance> {
  const { tenant, client, parameters, issuer } = request;
  if (assertion.subject !== assertion.issuer || assertion.kid === undefined) {
    throw invalidAssertion('iss and sub must be the service account, and kid its key');
  }
  const key = await deps.serviceAccounts.assertionKey(tenant, client.clientId, assertion.kid);
  const keys = key?.alg === assertion.alg ? keysFor(readKeys({ keys: [key.publicJwk] }), assertion) : [];
  if (!(await isSignedByOneOf(assertion, keys))) throw invalidAssertion('wrong signature');
  if (key?.epoch !== client.epoch) throw invalidAssertion('the account was changed concurrently');
  const scopes = scopesForClient(client, single(parameters, 'scope'));
  const resources = resourcesOfTokenRequest(parameters.get('resource') ?? [], client, issuer);
  return async () => {
    const issued = await deps.accessTokens.issue(tenant, {
      client,
      scopes,
      resources,
      dpopJkt: request.dpopJkt,
    });
    return answer(request, issued);
  };
}

async function ofIssuer(
  deps: JwtBearerDependencies,
  request: TokenRequest,
  assertion: PresentedAssertion,
): Promise<Issuance> {
  const { tenant, client, parameters, issuer } = request;
  const trusted = await deps.assertedGrants.issuer(tenant, assertion.issuer);
  if (!trusted?.clientIds.includes(client.clientId)) throw invalidAssertion('not trusted with this client');
  if (!(await isSigned(deps, trusted, assertion))) throw invalidAssertion('wrong signature');
  const subject = await deps.assertedGrants.subject(tenant, trusted, assertion.subject);
  if (!subject?.active) throw invalidAssertion('user unknown or not active');
  const scopes = scopesOf(request, trusted, subject);
  const asked = resourcesOfTokenRequest(parameters.get('resource') ?? [], client, issuer);
  const resources = asked.length === 0 ? [issuer] : asked;
  return async () => {
    const grant = {
      id: uuidv7(),
      subjectId: subject.id,
      subjectEpoch: subject.epoch,
      clientId: client.clientId,
      clientEpoch: client.epoch,
      trustedIssuerId: trusted.id,
      issuerSubject: assertion.subject,
      scopes,
      resources,
      lifetimeSeconds: deps.accessTokenLifetime,
    };
    const expiresAt = await deps.assertedGrants.open(tenant, grant);
    if (expiresAt === undefined)
      throw invalidAssertion('user, client or trusted issuer ended in the meantime');
    const issued = await deps.accessTokens.issue(tenant, {
      client,
      scopes,
      resources,
      dpopJkt: request.dpopJkt,
      grant: {
        subjectId: subject.id,
        subjectEpoch: subject.epoch,
        grantId: grant.id,
        sessionId: null,
        authTime: null,
        amr: [],
        acr: null,
        expiresAt,
      },
    });
    return answer(request, issued);
  };
}

/** Verifies the signature with the issuer's keys. An unknown key may be new, so the keys are fetched again. */
async function isSigned(
  deps: JwtBearerDependencies,
  trusted: TrustedIssuer,
  assertion: PresentedAssertion,
): Promise<boolean> {
  const isSignedBy = (keys: readonly ClientKey[]) => isSignedByOneOf(assertion, keysFor(keys, assertion));
  if (trusted.jwksUri === null) return isSignedBy(trusted.keys ?? []);
  const keys = readKeys(await deps.keysAt(trusted.jwksUri, false));
  if (keys.some((key) => key.kid === assertion.kid)) return isSignedBy(keys);
  return isSignedBy(readKeys(await deps.keysAt(trusted.jwksUri, true)));
}

/**
 * Returns the scopes within those of the issuer's trust, the client's registration and the user's roles. There is no
 * sign-in, so roles that require a second factor do not count.
 */
function scopesOf(
  { client, parameters, policy }: TokenRequest,
  trusted: TrustedIssuer,
  { roles, carriedRoles }: AssertedSubject,
): string[] {
  const counting = countingRoles(policy, { roles, acr: null, carriedRoles });
  const allowed = permittedScopes(trusted.scopes, client, counting);
  const asked = single(parameters, 'scope');
  if (asked === undefined) {
    requireScopesLeft(
      allowed,
      trusted.scopes,
      'Client and user allow none of the scopes of the trusted issuer',
    );
  }
  return withinScopes(
    asked === undefined ? allowed : parseScope(asked),
    (scope) => allowed.includes(scope),
    'exceeds the scopes that the assertion gives the client',
  );
}

const answer = ({ dpopJkt }: TokenRequest, { token, expiresIn, scopes }: IssuedToken): TokenResponse => ({
  access_token: token,
  token_type: dpopJkt === undefined ? 'Bearer' : 'DPoP',
  expires_in: expiresIn,
  ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
});

/** Represents a service account as the client of its tokens: `client_id` and `sub` are its id. */
export const serviceAccountClient = (
  tenant: string,
  account: NonNullable<Awaited<ReturnType<AssertingAccounts['find']>>>,
): Client => ({
  tenant,
  clientId: account.id,
  name: account.name,
  type: 'confidential',
  tokenEndpointAuthMethod: 'private_key_jwt',
  redirectUris: [],
  postLogoutRedirectUris: [],
  grantTypes: [jwtBearerGrantType],
  responseTypes: [],
  scopes: account.scopes,
  resources: [],
  epoch: account.epoch,
  version: 1,
  disabled: account.disabled,
  idTokenSignedResponseAlg: 'RS256',
  requireConsent: true,
  clientUri: null,
  logoUri: null,
  metadata: {},
  createdAt: account.createdAt,
});
