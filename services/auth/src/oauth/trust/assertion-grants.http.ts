import { isUuid } from '@ostiary/service';
import type { FastifyRequest } from 'fastify';
import type { ApiTokenReader, Delegations } from '../../access/index.ts';
import {
  type AssertingAccounts,
  type Client,
  jwtBearerGrantType,
  tokenExchangeGrantType,
} from '../../clients/index.ts';
import { type Parameters as FormParameters, single } from '../../platform/index.ts';
import type { AccessTokens } from '../domain/access-token.ts';
import type { Introspection } from '../domain/introspection.ts';
import { PresentedTokens } from '../domain/presented-token.ts';
import { type GrantHandler, required } from '../domain/token-request.ts';
import { type AssertedGrantPorts, AssertedGrants } from './domain/asserted-grants.ts';
import { invalidAssertion, readAssertion } from './domain/asserted-identity.ts';
import { jwtBearerGrant, serviceAccountClient } from './domain/grant-jwt-bearer.ts';
import { tokenExchangeGrant } from './domain/grant-token-exchange.ts';

export type AssertionGrantDependencies = AssertedGrantPorts & {
  env: { ACCESS_TOKEN_TTL_SECONDS: number };
  kit: { clock: () => number };
  accessTokens: AccessTokens;
  serviceAccounts: AssertingAccounts;
  /** Key sets at a `jwks_uri`. */
  remoteJwks: {
    get(uri: string, refresh: boolean): ReturnType<Parameters<typeof jwtBearerGrant>[0]['keysAt']>;
  };
  usedValues: { use(kind: 'assertion', value: readonly string[], milliseconds: number): Promise<boolean> };
  issuer(tenant: string): string;
  introspection: Introspection;
  apiTokenReader: ApiTokenReader;
  delegations: Delegations;
};

/** Grants that begin with a token or assertion instead of a sign-in. */
export function assertionGrants(deps: AssertionGrantDependencies): [string, GrantHandler][] {
  return [
    [
      jwtBearerGrantType,
      jwtBearerGrant({
        accessTokens: deps.accessTokens,
        assertedGrants: new AssertedGrants(deps),
        serviceAccounts: deps.serviceAccounts,
        keysAt: (uri, refresh) => deps.remoteJwks.get(uri, refresh),
        use: (tenant, issuer, jti, milliseconds) =>
          deps.usedValues.use('assertion', [tenant, issuer, jti], milliseconds),
        clock: deps.kit.clock,
        accessTokenLifetime: deps.env.ACCESS_TOKEN_TTL_SECONDS,
      }),
    ],
    [
      tokenExchangeGrantType,
      tokenExchangeGrant({
        accessTokens: deps.accessTokens,
        presentedTokens: new PresentedTokens({
          issuer: deps.issuer,
          accessToken: (tenant, token) => deps.introspection.liveAccessToken(tenant, token),
          apiToken: (token) => deps.apiTokenReader.find(token),
        }),
        delegations: deps.delegations,
        clock: deps.kit.clock,
      }),
    ],
  ];
}

/**
 * Returns the service account of an assertion when the request has no client authentication: the assertion itself
 * authenticates the account (RFC 7521 §4.1). Returns undefined when a client presents the assertion.
 * @throws OAuthError invalid_grant when there is no such account
 */
export async function assertingAccount(
  deps: Pick<AssertionGrantDependencies, 'serviceAccounts'>,
  tenant: string,
  request: FastifyRequest,
  parameters: FormParameters,
): Promise<Client | undefined> {
  if (single(parameters, 'grant_type') !== jwtBearerGrantType) return undefined;
  const authenticates =
    request.headers.authorization !== undefined ||
    parameters.has('client_secret') ||
    parameters.has('client_assertion') ||
    parameters.has('client_assertion_type');
  if (authenticates) return undefined;
  const clientId = single(parameters, 'client_id');
  const { issuer } = readAssertion(required(parameters, 'assertion'));
  if (!isUuid(issuer) || (clientId !== undefined && clientId !== issuer)) return undefined;
  const account = await deps.serviceAccounts.find(tenant, issuer);
  if (!account || account.disabled) throw invalidAssertion('no such service account, or disabled');
  return serviceAccountClient(tenant, account);
}
