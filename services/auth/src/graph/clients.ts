import { apiScopes } from '@ostiary/access';
import {
  badUserInput,
  connection,
  decodeCursor,
  encodeCursor,
  forbidden,
  type GraphContext,
  notFound,
  pageArguments,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import type { Client, ClientAuthMethod, ClientMetadata, ClientType } from '../domain/ports.ts';
import type { PeopleDependencies } from '../people.ts';
import type { AuthLoaders } from './loaders.ts';

type Context = GraphContext<AuthLoaders>;

interface RegisterClientInput {
  name: string;
  tokenEndpointAuthMethod?: string | null;
  redirectUris?: readonly string[] | null;
  postLogoutRedirectUris?: readonly string[] | null;
  grantTypes?: readonly string[] | null;
  scopes?: readonly string[] | null;
  resources?: readonly string[] | null;
  applicationType?: string | null;
  requireConsent?: boolean | null;
  clientUri?: string | null;
  logoUri?: string | null;
}

const cursorKind = 'client';
const longestOverlap = 2_592_000;
const isText = (value: unknown): value is string => typeof value === 'string';

/** OAuth clients of the caller's tenant. */
export function clientResolvers(deps: PeopleDependencies): {
  ClientType: Record<string, ClientType>;
  ClientAuthMethod: Record<string, ClientAuthMethod>;
  Client: TypeResolvers<AuthLoaders>;
  Query: TypeResolvers<AuthLoaders>;
  Mutation: TypeResolvers<AuthLoaders>;
} {
  return {
    ClientType: { CONFIDENTIAL: 'confidential', PUBLIC: 'public' },
    ClientAuthMethod: {
      NONE: 'none',
      CLIENT_SECRET_BASIC: 'client_secret_basic',
      CLIENT_SECRET_POST: 'client_secret_post',
    },
    Client: { id: (client: Client) => client.clientId },
    Query: {
      async clients(
        _parent: unknown,
        args: { first?: number | null; after?: string | null },
        { tenant }: Context,
      ) {
        const page = pageArguments(args);
        const after =
          page.after === undefined ? undefined : decodeCursor<string>(cursorKind, page.after, isText);
        const { clients, total } = await deps.clients.list(tenant, {
          first: page.first + 1,
          ...(after === undefined ? {} : { after }),
        });
        return {
          totalCount: total,
          ...connection(clients, page, (client) => encodeCursor(cursorKind, client.clientId)),
        };
      },
      client: (_parent: unknown, { id }: { id: string }, { tenant }: Context) =>
        deps.clients.find(tenant, id),
    },
    Mutation: {
      registerClient(_parent: unknown, { input }: { input: RegisterClientInput }, context: Context) {
        requireScopesOf((input.scopes ?? []).join(' ').split(' '), context);
        return deps.clientRegistry.register(context.tenant, metadataOf(input));
      },
      async rotateClientSecret(
        _parent: unknown,
        { input: { id, overlapSeconds } }: { input: { id: string; overlapSeconds?: number | null } },
        context: Context,
      ) {
        const { tenant } = context;
        const overlap = overlapSeconds ?? 86_400;
        if (overlap < 0 || overlap > longestOverlap) {
          throw badUserInput(`"overlapSeconds" must be between 0 and ${longestOverlap}.`, {
            argument: 'overlapSeconds',
          });
        }
        requireScopesOf((await deps.clients.find(tenant, id))?.scopes ?? [], context);
        const rotated = await deps.clientRegistry.rotateSecret(tenant, id, { overlapSeconds: overlap });
        if (!rotated) throw notFound('The client');
        return rotated;
      },
      async disableClient(
        _parent: unknown,
        { input: { id } }: { input: { id: string } },
        { tenant }: Context,
      ) {
        if (!(await deps.clientRegistry.disable(tenant, id))) throw notFound('The client');
        return { client: await deps.clients.find(tenant, id) };
      },
    },
  };
}

/**
 * Who gets a client's secret can do what the client can do. So it takes every API scope of the client, or registering
 * one would be the way from `clients:write` to everything.
 * @throws FORBIDDEN
 */
function requireScopesOf(scopes: readonly string[], context: Context): void {
  const { scopes: own } = requirePrincipal(context);
  const beyond = scopes.find((scope) => Object.hasOwn(apiScopes, scope) && !own.has(scope));
  if (beyond !== undefined) throw forbidden([beyond]);
}

/** The input as client metadata (RFC 7591 §2), which one place checks for every way to register. */
function metadataOf(input: RegisterClientInput): ClientMetadata {
  return {
    client_name: input.name,
    ...(input.tokenEndpointAuthMethod && { token_endpoint_auth_method: input.tokenEndpointAuthMethod }),
    ...(input.redirectUris && { redirect_uris: input.redirectUris }),
    ...(input.postLogoutRedirectUris && { post_logout_redirect_uris: input.postLogoutRedirectUris }),
    ...(input.grantTypes && { grant_types: input.grantTypes }),
    ...(input.scopes && { scope: input.scopes.join(' ') }),
    ...(input.resources && { resources: input.resources }),
    ...(input.applicationType && { application_type: input.applicationType }),
    ...(typeof input.requireConsent === 'boolean' && { require_consent: input.requireConsent }),
    ...(input.clientUri && { client_uri: input.clientUri }),
    ...(input.logoUri && { logo_uri: input.logoUri }),
  };
}
