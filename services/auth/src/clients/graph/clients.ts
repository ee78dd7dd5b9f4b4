import { beyondHeld } from '@ostiary/access';
import {
  badUserInput,
  batchOne,
  type CursorValue,
  connectionOf,
  type DataLoader,
  encodeCursor,
  type GraphContext,
  type LoaderScope,
  notFound,
  type PagingArguments,
  pagingOf,
  positionOf,
  requireConferrable,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import type { Owners } from '../../access/index.ts';
import { ownerToBe } from '../../access/ownership/graph/ownership.ts';
import { filterOf, type Given } from '../../platform/subgraph/graph/filters.ts';
import { type OnceDependencies, once, termsOf } from '../../platform/subgraph/graph/idempotency.ts';
import type { Tenants } from '../../tenancy/index.ts';
import { clientClaimsOf } from '../claims/domain/client-claims.ts';
import {
  type AssertionAlgorithm,
  privateKeyAlgorithms,
  secretAlgorithms,
} from '../domain/assertions/assertion-algorithms.ts';
import {
  type Client,
  type ClientAuthMethod,
  type ClientFilter,
  type ClientStore,
  type ClientType,
  type ClientUse,
  isClientId,
} from '../domain/client.ts';
import type { ClientKind } from '../domain/client-kinds.ts';
import {
  acceptsAnySecretMethod,
  type CodeProtection,
  codeProtectionOf,
  isExemptFromProofKey,
  mergeMetadata,
  needsNonce,
} from '../domain/client-metadata.ts';
import type { ClientRegistry } from '../domain/client-registry.ts';
import {
  conferredByClient,
  conferredByConsents,
  conferredByRegistration,
} from '../domain/conferral/client-conferral.ts';
import { exchangePolicyOf, mayActOf, tokenExchangeGrantType } from '../domain/exchange-policy.ts';
import {
  mustSignRequests,
  type RequestObjectAlgorithm,
  requestObjectAlgorithms,
} from '../domain/request-object-metadata.ts';
import { protectedResourcesOf } from '../domain/resource-server.ts';
import {
  anySecretMethod,
  type ClientInput,
  metadataOf,
  type RegisterClientInput,
  registrationOf,
  type UpdateClientInput,
} from './client-input.ts';

/** Loader of the last use of a client by its id. */
export interface ClientUseLoaders {
  clientUses: DataLoader<string, ClientUse | null>;
}

export const clientUseLoaders =
  ({ lastUsesOf }: Pick<ClientGraphDependencies, 'lastUsesOf'>) =>
  ({ tenant }: LoaderScope): ClientUseLoaders => ({
    clientUses: batchOne(
      (ids) => lastUsesOf(tenant, ids),
      ({ clientId }) => clientId,
    ),
  });

type Context = GraphContext<unknown>;

const cursorKind = 'client';
const maxOverlapSeconds = 2_592_000;

/** Position in the list: creation time and id. */
type Key = readonly [string, string];

const isKey = (value: CursorValue): value is Key =>
  Array.isArray(value) &&
  value.length === 2 &&
  typeof value[0] === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value[0]) &&
  // PostgreSQL has no year 0.
  !value[0].startsWith('0000') &&
  !Number.isNaN(Date.parse(value[0])) &&
  typeof value[1] === 'string' &&
  isClientId(value[1]);

export interface ClientGraphDependencies extends OnceDependencies {
  clients: ClientStore;
  clientRegistry: ClientRegistry;
  owners: Owners;
  tenants: Tenants;
  lastUsesOf(tenant: string, clientIds: readonly string[]): Promise<ClientUse[]>;
}

/** Resolvers of a tenant's OAuth clients. */
export function clientResolvers(deps: ClientGraphDependencies): {
  ClientType: Record<string, ClientType>;
  ClientProfile: Record<string, 'standard' | 'fapi2'>;
  ClientKind: Record<string, ClientKind>;
  SubjectType: Record<string, 'public' | 'pairwise'>;
  ClientAuthMethod: Record<string, ClientAuthMethod | typeof anySecretMethod>;
  ClientCodeProtection: Record<string, CodeProtection>;
  ApplicationType: Record<string, 'web' | 'native'>;
  AssertionAlgorithm: Record<string, AssertionAlgorithm>;
  RequestObjectAlgorithm: Record<string, RequestObjectAlgorithm>;
  Client: TypeResolvers<ClientUseLoaders>;
  Query: TypeResolvers<unknown>;
  Mutation: TypeResolvers<unknown>;
} {
  return {
    ClientKind: {
      WEB: 'web',
      SINGLE_PAGE: 'single-page',
      NATIVE: 'native',
      MACHINE: 'machine',
      DEVICE: 'device',
      MCP: 'mcp',
    },
    SubjectType: { PUBLIC: 'public', PAIRWISE: 'pairwise' },
    ApplicationType: { WEB: 'web', NATIVE: 'native' },
    // By the names of the IANA registry: `Ed25519` is ED25519 here.
    AssertionAlgorithm: Object.fromEntries(
      [...privateKeyAlgorithms, ...secretAlgorithms].map((alg) => [alg.toUpperCase(), alg]),
    ),
    RequestObjectAlgorithm: Object.fromEntries(
      requestObjectAlgorithms.map((alg) => [alg.toUpperCase(), alg]),
    ),
    ClientProfile: { STANDARD: 'standard', FAPI2: 'fapi2' },
    ClientType: { CONFIDENTIAL: 'confidential', PUBLIC: 'public' },
    ClientAuthMethod: {
      NONE: 'none',
      CLIENT_SECRET: anySecretMethod,
      CLIENT_SECRET_BASIC: 'client_secret_basic',
      CLIENT_SECRET_POST: 'client_secret_post',
      CLIENT_SECRET_JWT: 'client_secret_jwt',
      PRIVATE_KEY_JWT: 'private_key_jwt',
    },
    ClientCodeProtection: { PKCE: 'pkce', PKCE_OR_NONCE: 'pkce_or_nonce', NONE: 'none' },
    Client: clientFields(deps),
    Query: clientQueries(deps),
    Mutation: { ...registrationMutations(deps), ...secretMutations(deps), ...availabilityMutations(deps) },
  };
}

/** Resolvers that register and update clients. */
function registrationMutations(deps: ClientGraphDependencies): TypeResolvers<unknown> {
  return {
    registerClient(_parent: unknown, { input }: { input: RegisterClientInput }, context: Context) {
      return once(
        deps,
        context,
        'registerClient',
        input,
        async (claim) => {
          const policy = (await deps.tenants.find(context.tenant))?.policy;
          return deps.clientRegistry.register(
            context.tenant,
            registrationOf(input, policy?.requiredClientProfile),
            { claim, ownerToBe: await ownerToBe(deps, context, 'client', input.ownerId) },
          );
        },
        again(deps, context),
      );
    },
    updateClient(_parent: unknown, { input }: { input: UpdateClientInput }, context: Context) {
      const { tenant } = context;
      const { id, version: _version, idempotencyKey: _key, ...given } = input;
      return once(
        deps,
        context,
        'updateClient',
        input,
        async (claim) => {
          const changes = metadataOf(given);
          const updated = await deps.clientRegistry.update(
            tenant,
            id,
            (current) => {
              // A caller who may change a client's keys or redirect URIs can act as the client, before and after the
              // change.
              const changed = mergeMetadata(current, changes);
              for (const registration of [current, changed])
                requireConferrable(requirePrincipal(context), conferredByRegistration(registration));
              return changed;
            },
            { ...termsOf(input, claim), keepsConsents: keepsConsents(context) },
          );
          if (!updated) throw notFound('The client');
          return updated;
        },
        again(deps, context),
      );
    },
  };
}

/** Consents stay when the caller holds the scopes that they confer. */
const keepsConsents = (context: Context) => (client: Client) =>
  beyondHeld(requirePrincipal(context), conferredByConsents(client)) === undefined;

function secretMutations(deps: ClientGraphDependencies): TypeResolvers<unknown> {
  return {
    rotateClientSecret(
      _parent: unknown,
      { input }: { input: ClientInput & { overlapSeconds?: number | null } },
      context: Context,
    ) {
      const overlap = input.overlapSeconds ?? 86_400;
      if (overlap < 0 || overlap > maxOverlapSeconds) {
        throw badUserInput(`"overlapSeconds" must be between 0 and ${maxOverlapSeconds}.`, {
          argument: 'overlapSeconds',
        });
      }
      return once(
        deps,
        context,
        'rotateClientSecret',
        input,
        async (claim) => {
          const rotated = await deps.clientRegistry.rotateSecret(context.tenant, input.id, {
            overlapSeconds: overlap,
            mayRotate: (client) => requireConferrable(requirePrincipal(context), conferredByClient(client)),
            keepsConsents: keepsConsents(context),
            ...termsOf(input, claim),
          });
          if (!rotated) throw notFound('The client');
          return rotated;
        },
        again(deps, context),
      );
    },
  };
}

const deletedClient = (id: string) => ({ id, clientId: id });

/** Resolvers that delete, disable and enable clients. */
function availabilityMutations(deps: ClientGraphDependencies): TypeResolvers<unknown> {
  return {
    deleteClient(_parent: unknown, { input }: { input: ClientInput }, context: Context) {
      return once(
        deps,
        context,
        'deleteClient',
        input,
        async (claim) => {
          if (!(await deps.clientRegistry.delete(context.tenant, input.id, termsOf(input, claim))))
            throw notFound('The client');
          return deletedClient(input.id);
        },
        deletedClient,
      );
    },
    disableClient(_parent: unknown, { input }: { input: ClientInput }, context: Context) {
      return once(
        deps,
        context,
        'disableClient',
        input,
        async (claim) => {
          if (!(await deps.clientRegistry.disable(context.tenant, input.id, termsOf(input, claim))))
            throw notFound('The client');
          return again(deps, context)(input.id);
        },
        again(deps, context),
      );
    },
    enableClient(_parent: unknown, { input }: { input: ClientInput }, context: Context) {
      return once(
        deps,
        context,
        'enableClient',
        input,
        async (claim) => {
          // Enabling a client confers its access again.
          const mayEnable = (client: Client) =>
            requireConferrable(requirePrincipal(context), conferredByClient(client));
          if (!(await deps.clientRegistry.enable(context.tenant, input.id, mayEnable, termsOf(input, claim))))
            throw notFound('The client');
          return again(deps, context)(input.id);
        },
        again(deps, context),
      );
    },
  };
}

function clientQueries(deps: ClientGraphDependencies): TypeResolvers<unknown> {
  return {
    async clients(
      _parent: unknown,
      args: PagingArguments & { filter?: Given<ClientFilter> | null },
      { tenant }: Context,
    ) {
      const paging = pagingOf(args);
      const position = positionOf<Key>(paging, cursorKind, isKey);
      const { clients, total } = await deps.clients.list(
        tenant,
        {
          limit: paging.limit + 1,
          direction: paging.direction,
          position: position && { createdAt: new Date(position[0]), clientId: position[1] },
        },
        filterOf<ClientFilter>(args.filter),
      );
      return {
        totalCount: total,
        ...connectionOf(clients, paging, ({ createdAt, clientId }) =>
          encodeCursor(cursorKind, [createdAt.toISOString(), clientId]),
        ),
      };
    },
    client: (_parent: unknown, { id }: { id: string }, { tenant }: Context) => deps.clients.find(tenant, id),
  };
}

function clientFields(deps: ClientGraphDependencies): TypeResolvers<ClientUseLoaders> {
  return {
    id: (client: Client) => client.clientId,
    jwks: ({ metadata }: Client) => (metadata.jwks === undefined ? null : JSON.stringify(metadata.jwks)),
    jwksUri: ({ metadata }: Client) => metadata.jwks_uri ?? null,
    tokenEndpointAuthSigningAlg: ({ metadata }: Client) => metadata.token_endpoint_auth_signing_alg ?? null,
    introspectionSignedResponseAlg: ({ metadata }: Client) =>
      metadata.introspection_signed_response_alg ?? 'RS256',
    ownScopes: ({ ownScopes = [] }: Client) => ownScopes,
    protectedResources: protectedResourcesOf,
    tokenEndpointAuthMethod: (client: Client) =>
      acceptsAnySecretMethod(client) ? anySecretMethod : client.tokenEndpointAuthMethod,
    profileClaimsInIdToken: ({ metadata }: Client) => metadata.id_token_profile_claims === true,
    subjectType: ({ metadata }: Client) => metadata.subject_type ?? 'public',
    sectorIdentifierUri: ({ metadata }: Client) => metadata.sector_identifier_uri ?? null,
    backchannelLogoutUri: ({ metadata }: Client) => metadata.backchannel_logout_uri ?? null,
    backchannelLogoutSessionRequired: ({ metadata }: Client) =>
      metadata.backchannel_logout_session_required === true,
    codeProtection: codeProtectionOf,
    requirePkce: (client: Client) => !isExemptFromProofKey(client),
    requireNonce: (client: Client) => isExemptFromProofKey(client) && needsNonce(client),
    profile: ({ metadata }: Client) => metadata.client_profile ?? 'standard',
    userinfoSignedResponseAlg: ({ metadata }: Client) => metadata.userinfo_signed_response_alg ?? null,
    defaultMaxAge: ({ metadata }: Client) => metadata.default_max_age ?? null,
    requireAuthTime: ({ metadata }: Client) => metadata.require_auth_time === true,
    requestObjectSigningAlg: ({ metadata }: Client) => metadata.request_object_signing_alg ?? null,
    requestUris: ({ metadata }: Client) => metadata.request_uris ?? [],
    requireSignedRequestObject: mustSignRequests,
    policyUri: ({ metadata }: Client) => metadata.policy_uri ?? null,
    tosUri: ({ metadata }: Client) => metadata.tos_uri ?? null,
    applicationType: ({ type, metadata }: Client) =>
      metadata.application_type ?? (type === 'public' ? 'native' : 'web'),
    requirePushedAuthorizationRequests: ({ metadata }: Client) =>
      metadata.require_pushed_authorization_requests === true,
    // A client of the same id may have been deleted before.
    lastUsedAt: async (
      { clientId, createdAt }: Client,
      _args: object,
      { loaders }: GraphContext<ClientUseLoaders>,
    ) => {
      const at = (await loaders.clientUses.load(clientId))?.lastUsedAt;
      return at && at >= createdAt ? at : null;
    },
    // A copy: the library writes into the object, and a cached client is frozen.
    __resolveReference: async ({ id }: { id: string }, { tenant }: Context) => {
      const client = await deps.clients.find(tenant, id);
      return client && { ...client };
    },
    dpopBoundAccessTokens: ({ metadata }: Client) => metadata.dpop_bound_access_tokens === true,
    tokenExchange: (client: Client) =>
      client.grantTypes.includes(tokenExchangeGrantType) ? exchangePolicyOf(client) : null,
    mayAct: (client: Client) => mayActOf(client) ?? null,
    claims: clientClaimsOf,
  };
}

/** Returns the current client, without a secret. */
const again =
  (deps: ClientGraphDependencies, { tenant }: Context) =>
  async (id: string) => ({ client: await deps.clients.find(tenant, id) });
