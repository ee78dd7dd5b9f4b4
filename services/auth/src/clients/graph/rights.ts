import type { Conferring, GraphContext } from '@ostiary/graph';
import { type OwnedKind, type RoleDirectory, scopesToGive } from '../../access/index.ts';
import { accountScopes } from '../../access/machines/graph/rights.ts';
import { type ApiRoleName, apiRoleKey } from '../../tenancy/index.ts';
import type { Apis } from '../apis/domain/apis.ts';
import { type ClaimMapping, scopesToMap } from '../claims/domain/claim-mapping.ts';
import type { Client, ClientStore } from '../domain/client.ts';
import type { ClientKind } from '../domain/client-kinds.ts';
import {
  type ConferringClient,
  conferredByApis,
  conferredByClient,
} from '../domain/conferral/client-conferral.ts';

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
  ownScopes?: Scopes;
  resources?: readonly string[] | null;
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
  deps: Parameters<typeof accountScopes>[0] & {
    apis: Pick<Apis, 'reachedBy'>;
    clients: ClientStore;
    roleDirectory: RoleDirectory;
  },
): Conferring<ApiKeyLoader>['rights'] => ({
  /** The holder of a client's secret or key, and the receiver of its codes, has all rights of the client. */
  client: async ({ input }: Input<ClientChange>, { tenant }: Context) => {
    const before = input.id === undefined ? null : await deps.clients.find(tenant, input.id);
    const after = {
      scopes: input.scopes ? apart(input.scopes) : (before?.scopes ?? []),
      requireConsent: input.requireConsent ?? before?.requireConsent ?? true,
      grantTypes: input.grantTypes ?? before?.grantTypes ?? grantsOfKind(input.kind),
      metadata: input.claims ? { claim_mappings: input.claims } : before?.metadata,
      apis: await apisAfter(deps.apis, tenant, before, input),
    };
    return [
      ...conferredByClient(after),
      ...(before ? conferredByClient(before) : []),
      ...(before ? await givenAsSource(deps.roleDirectory, tenant, before.scopes) : []),
    ];
  },
  apiRole: ({ input }: Input<ApiRoleName>) => scopesToGive(apiRoleKey(input)),
  /**
   * The clients of the API, and the API, receive the attributes in the tokens of the users. APIs authorize by claims, so
   * each change of them requires a recent sign-in.
   */
  apiClaims: ({ input: { id, claims } }: Input<{ id?: string; claims?: readonly ClaimMapping[] | null }>) => {
    const isUnchanged = claims === undefined || (id === undefined && !claims?.length);
    return isUnchanged ? undefined : scopesToMap(claims ?? [], 'api');
  },
  /** The holder of the token registers clients with these scopes. */
  registration: async ({ input: { scopes } }: Input<{ scopes?: Scopes }>, { tenant }: Context) => [
    ...apart(scopes),
    ...conferredByApis(await deps.apis.reachedBy(tenant, { scopes: namesIn(scopes), resources: [] })),
  ],
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

/** Returns the APIs for which the client gets tokens after the change. */
async function apisAfter(
  apis: Pick<Apis, 'reachedBy'>,
  tenant: string,
  before: Client | null | undefined,
  { scopes, ownScopes, resources }: ClientChange,
): Promise<ConferringClient['apis']> {
  if (before && scopes === undefined && ownScopes === undefined && resources === undefined)
    return before.apis;
  const names = [...namesIn(scopes ?? before?.scopes), ...namesIn(ownScopes ?? before?.ownScopes)];
  return apis.reachedBy(tenant, { scopes: names, resources: possible(resources ?? before?.resources) });
}

/** Maximum number of values to look up. An input with more is rejected when it is checked. */
const maxLookedUp = 200;

/** Texts that the database can compare. */
const possible = (values: readonly string[] | null | undefined): string[] =>
  (values ?? []).filter((value) => /^[\x21-\x7e]{1,2048}$/.test(value)).slice(0, maxLookedUp);

const namesIn = (scopes: Scopes): string[] => possible(apart(scopes));

/** Returns single scopes; an input has one scope per element, or several in one element. */
const apart = (scopes: Scopes): string[] => (scopes ?? []).join(' ').split(' ');
