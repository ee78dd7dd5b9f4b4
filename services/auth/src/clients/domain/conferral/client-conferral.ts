import { type ApiScope, apiScopes, openedByOwnToken, openedByUserTokens } from '@ostiary/access';
import { isKnownScope } from '../../../access/index.ts';
import type { ClientApi } from '../../apis/domain/client-api.ts';
import { scopesToMap } from '../../claims/domain/claim-mapping.ts';
import { clientClaimsOf } from '../../claims/domain/client-claims.ts';
import type { Client } from '../client.ts';
import type { ClientMetadata } from '../client-registry.ts';

/** The members of a client that decide which scopes its control confers. */
export interface ConferringClient {
  scopes: readonly string[];
  requireConsent: boolean;
  /** Undefined while unknown; the authorization endpoint is then assumed. */
  grantTypes?: readonly string[] | undefined;
  metadata?: Pick<Client, 'metadata'>['metadata'] | undefined;
  /** APIs for which the client gets tokens. */
  apis?: readonly Pick<ClientApi, 'claims'>[] | undefined;
}

/**
 * Rights whose holder can act for users in other APIs anyway, by changing their sign-in. Scopes of defined APIs confer
 * as much: no caller holds them.
 */
const actingForUsers: readonly ApiScope[] = ['users:write', 'access:write'];

const openedForUsers = (scopes: readonly string[]): ApiScope[] => [
  ...openedByUserTokens(scopes),
  ...(scopes.every(isKnownScope) ? [] : actingForUsers),
];

/**
 * Reports whether signed-in users are not asked: only the authorization endpoint skips consent (the device flow always
 * asks).
 */
const isSilent = ({ requireConsent, grantTypes }: ConferringClient): boolean =>
  !requireConsent && (grantTypes === undefined || grantTypes.includes('authorization_code'));

/**
 * Returns the API scopes that control of a client confers: those of its registration. A client without consent also
 * confers the scopes that user tokens open (userinfo and `me`), because any signed-in user who follows a link
 * authorizes it silently. Mapped claims of the client and of its APIs confer the scopes to read their attributes: the
 * client reads its tokens, and the consent page does not show these attributes.
 */
export const conferredByClient = (client: ConferringClient): string[] => [
  ...scopesToMap(clientClaimsOf({ metadata: client.metadata ?? {} }), 'client'),
  ...conferredByApis(client.apis ?? []),
  ...client.scopes.filter((scope) => Object.hasOwn(apiScopes, scope)),
  ...(isSilent(client) ? [...openedByOwnToken, ...openedForUsers(client.scopes)] : []),
];

/** Returns the scopes to read the attributes that the claims of these APIs contain. */
export const conferredByApis = (apis: readonly Pick<ClientApi, 'claims'>[]): string[] =>
  apis.flatMap(({ claims }) => scopesToMap(claims ?? [], 'api'));

/** Returns the same for a registration. Without `scope`, those of a sign-in apply. */
export const conferredByRegistration = ({
  scope,
  require_consent: requireConsent,
  grant_types: grantTypes,
  claim_mappings: mappings,
}: Partial<ClientMetadata>): string[] =>
  conferredByClient({
    scopes: (scope ?? 'openid').split(' '),
    requireConsent: requireConsent ?? true,
    grantTypes: grantTypes ?? undefined,
    metadata: { claim_mappings: mappings },
  });

/**
 * Returns the API scopes that existing consents to a client confer: a party that receives its codes, or authenticates
 * as the client, gets them without asking the users again.
 */
export const conferredByConsents = ({ scopes }: Client): ApiScope[] => openedForUsers(scopes);
