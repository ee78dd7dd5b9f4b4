import { apiScopes, platformTenant, serviceAudience, subgraphAudience } from '@ostiary/access';
import type { Key } from '@ostiary/service';
import { keyedDigest } from '../../tenancy/index.ts';
import type { ClientRecord } from './clients.ts';

type ServiceName = 'auth' | 'directory' | 'provisioning' | 'gateway';

/** Services that each platform client may call. A stolen secret gives access to these services only. */
const callable: Record<string, readonly ServiceName[]> = {
  auth: ['directory', 'provisioning'],
  directory: ['auth', 'provisioning'],
  provisioning: ['auth', 'directory'],
  gateway: ['auth'],
  operator: ['auth', 'directory', 'provisioning'],
};

/** Services that trust a client's check of a proof of possession; such a token opens no internal route. */
const subgraphs: Record<string, readonly ServiceName[]> = { gateway: ['auth', 'directory', 'provisioning'] };

/**
 * Creates the clients of the platform tenant from secrets of the environment.
 * @param secrets secrets by client id, several during a rotation; a client without secrets does not exist
 */
export function platformClients(
  secrets: Readonly<Record<string, readonly (string | undefined)[]>>,
  digestKey: Key,
): ClientRecord[] {
  return Object.entries(secrets).flatMap(([clientId, given]) => {
    const accepted = given.filter((secret) => secret !== undefined);
    return accepted.length === 0
      ? []
      : [
          {
            client: Object.freeze({
              tenant: platformTenant,
              clientId,
              name: clientId,
              type: 'confidential' as const,
              tokenEndpointAuthMethod: 'client_secret_basic' as const,
              redirectUris: [],
              postLogoutRedirectUris: [],
              grantTypes: ['client_credentials'],
              responseTypes: [],
              // The operator manages tenants in the graph, and acts in them.
              scopes: clientId === 'operator' ? Object.keys(apiScopes) : [],
              resources: [
                ...(callable[clientId] ?? []).map(serviceAudience),
                ...(subgraphs[clientId] ?? []).map(subgraphAudience),
              ],
              epoch: 0,
              version: 1,
              disabled: false,
              idTokenSignedResponseAlg: 'RS256' as const,
              requireConsent: true,
              clientUri: null,
              logoUri: null,
              metadata: {},
              createdAt: new Date(0),
            }),
            get secrets() {
              return accepted.map((secret) => ({
                digest: keyedDigest(digestKey(), secret),
                expiresAt: null,
              }));
            },
          },
        ];
  });
}
