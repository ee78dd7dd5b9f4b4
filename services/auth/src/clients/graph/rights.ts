import type { Conferring, GraphContext } from '@ostiary/graph';
import { type OwnedKind, type RoleDirectory, scopesToGive } from '../../access/index.ts';
import { accountScopes } from '../../access/machines/graph/rights.ts';
import { type ApiRoleName, apiRoleKey } from '../../tenancy/index.ts';
import { type ClaimMapping, scopesToMap } from '../claims/domain/claim-mapping.ts';
import type { ClientStore } from '../domain/client.ts';
import type { ClientKind } from '../domain/client-kinds.ts';
import { conferredByClient } from '../domain/conferral/client-conferral.ts';

interface ApiKeyLoader {
  apiKeysById: { load(id: string): Promise<{ scopes: readonly string[] } | null> };
}
type Context = GraphContext<ApiKeyLoader>;
type Input<T> = { input: T };
type Scopes = readonly string[] | null | undefined;

/**
 * Returns the scopes that a client confers as an identity source: those of the groups that identity sources may manage.
 * Only the provisioning service stores whether a client with `scim:write` belongs to a connector.
 */
async function givenAsSource(
  roles: RoleDirectory,
  tenant: string,
  scopes: readonly string[],
): Promise<string[]> {
  return scopes.includes('scim:write') ? (await roles.givenBySources(tenant)).flatMap(scopesToGive) : [];
}

/** Fields of a client input that affect its rights. */
interface ClientChange {
  id?: string;
  scopes?: Scopes;
  requireConsent?: boolean | null;
  grantTypes?: readonly string[] | null;
  kind?: ClientKind | null;
  claims?: readonly ClaimMapping[] | null;
}

/** Clients of these kinds do not use the authorization endpoint unless their grant types say so. */
const grantsOfKind = (kind: ClientKind | null | undefined): readonly string[] | undefined =>
  kind === 'machine' || kind === 'device' ? [] : undefined;

/** Rights that clients and the transfer of credentials confer (`@confers`). */
export const clientRights = (
  deps: Parameters<typeof accountScopes>[0] & { clients: ClientStore; roleDirectory: RoleDirectory },
): Conferring<ApiKeyLoader>['rights'] => ({
  /** The holder of a client's secret or key, and the receiver of its codes, has all rights of the client. */
  client: async ({ input }: Input<ClientChange>, { tenant }: Context) => {
    const before = input.id === undefined ? null : await deps.clients.find(tenant, input.id);
    const after = {
      scopes: input.scopes ? apart(input.scopes) : (before?.scopes ?? []),
      requireConsent: input.requireConsent ?? before?.requireConsent ?? true,
      grantTypes: input.grantTypes ?? before?.grantTypes ?? grantsOfKind(input.kind),
      metadata: input.claims ? { claim_mappings: input.claims } : before?.metadata,
    };
    return [
      ...conferredByClient(after),
      ...(before ? conferredByClient(before) : []),
      ...(before ? await givenAsSource(deps.roleDirectory, tenant, before.scopes) : []),
    ];
  },
  /** Whoever publishes a document on an allowed host has a client, as if it were registered. */
  unregisteredClients: () => ['clients:write'],
  apiRole: ({ input }: Input<ApiRoleName>) => scopesToGive(apiRoleKey(input)),
  /** The clients of the API, and the API, receive the attributes in the tokens of the users. */
  apiClaims: ({ input: { claims } }: Input<{ claims?: readonly ClaimMapping[] | null }>) =>
    someOf(scopesToMap(claims ?? [], 'api')),
  /** The holder of the token registers clients with these scopes. */
  registration: ({ input: { scopes } }: Input<{ scopes?: Scopes }>) => apart(scopes),
  /** The new owner decides when the credential ends, and is accountable for it. */
  credential: async ({ input: { kind, id } }: Input<{ kind: OwnedKind; id: string }>, context: Context) => {
    if (kind === 'client') {
      const client = await deps.clients.find(context.tenant, id);
      return client ? conferredByClient(client) : [];
    }
    if (kind === 'service_account') return accountScopes(deps, id, context);
    return (await context.loaders.apiKeysById.load(id))?.scopes ?? [];
  },
});

const someOf = (scopes: string[]): string[] | undefined => (scopes.length > 0 ? scopes : undefined);

/** Returns single scopes; an input has one scope per element, or several in one element. */
const apart = (scopes: Scopes): string[] => (scopes ?? []).join(' ').split(' ');
