import { type ApiScope, apiScopes, openedByOwnToken, openedByUserTokens } from '@ostiary/access';
import type { Client } from '../client.ts';
import type { ClientMetadata } from '../client-registry.ts';

/** What of a client decides what controlling it confers. */
export interface ConferringClient {
  scopes: readonly string[];
  requireConsent: boolean;
  /** Undefined while it is not known: then it may send users to the authorization endpoint. */
  grantTypes?: readonly string[] | undefined;
}

/** Whether users who are signed in are not asked: only the authorization endpoint answers silently (the device flow always asks). */
const isSilent = ({ requireConsent, grantTypes }: ConferringClient): boolean =>
  !requireConsent && (grantTypes === undefined || grantTypes.includes('authorization_code'));

/**
 * The one rule: controlling a client confers what its tokens can open, in scopes of the API. A client opens what it is registered for; one
 * that asks no user opens, of everybody who follows a link, what user tokens open as well (userinfo and `me`).
 */
export const conferredByClient = (client: ConferringClient): string[] => [
  ...client.scopes.filter((scope) => Object.hasOwn(apiScopes, scope)),
  ...(isSilent(client) ? [...openedByOwnToken, ...openedByUserTokens(client.scopes)] : []),
];

/** The same of a registration; one that names no scopes gets those of a sign-in. */
export const conferredByRegistration = ({
  scope,
  require_consent: requireConsent,
  grant_types: grantTypes,
}: Partial<ClientMetadata>): string[] =>
  conferredByClient({
    scopes: (scope ?? 'openid').split(' '),
    requireConsent: requireConsent ?? true,
    grantTypes: grantTypes ?? undefined,
  });

/**
 * What the consents that users gave a client confer, in scopes of the API: whoever receives its codes or authenticates as the client opens
 * it without asking them again.
 */
export const conferredByConsents = ({ scopes }: Pick<Client, 'scopes'>): ApiScope[] =>
  openedByUserTokens(scopes);
