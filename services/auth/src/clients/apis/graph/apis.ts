import {
  badUserInput,
  countedPageById,
  type DataLoader,
  type GraphContext,
  type LoaderScope,
  notFound,
  type PagingArguments,
  type TypeResolvers,
} from '@ostiary/graph';
import { type OnceDependencies, once, termsOf } from '../../../platform/subgraph/graph/idempotency.ts';
import { byId, type Reference } from '../../../platform/subgraph/graph/references.ts';
import type { ClaimMapping } from '../../claims/domain/claim-mapping.ts';
import type { Api, ApiScope, ApiSettings, TokenFormat } from '../domain/api.ts';
import type { Apis } from '../domain/apis.ts';

interface SettingsInput {
  name?: string | null;
  scopes?: readonly ScopeInput[] | null;
  roles?: readonly ScopeInput[] | null;
  tokenLifetimeSeconds?: number | null;
  tokenFormat?: TokenFormat | null;
  claims?: readonly ClaimMapping[] | null;
  idempotencyKey?: string | null;
}

/** Scope or role. */
interface ScopeInput {
  name: string;
  descriptions?: readonly { language: string; text: string }[] | null;
}

type RegisterInput = SettingsInput & { identifier: string; name: string };
type ChangeInput = { id: string; version?: number | null; idempotencyKey?: string | null };

export interface ApiLoaders {
  apisById: DataLoader<string, Api | null>;
}

type Context = GraphContext<ApiLoaders>;

export interface ApiGraphDependencies extends OnceDependencies {
  apis: Apis;
}

export const apiLoaders =
  ({ apis }: ApiGraphDependencies) =>
  ({ tenant }: LoaderScope): ApiLoaders => ({
    apisById: byId((ids) => apis.ofIds(tenant, ids)),
  });

/** Resolvers of the defined APIs of a tenant. */
export function apiResolvers(deps: ApiGraphDependencies): {
  AccessTokenFormat: Record<string, TokenFormat>;
  Api: TypeResolvers<ApiLoaders>;
  ApiScope: TypeResolvers<ApiLoaders>;
  ApiRole: TypeResolvers<ApiLoaders>;
  Query: TypeResolvers<ApiLoaders>;
  Mutation: TypeResolvers<ApiLoaders>;
} {
  const { apis } = deps;
  return {
    AccessTokenFormat: { JWT: 'jwt', OPAQUE: 'opaque' },
    Api: {
      __resolveReference: ({ id }: Reference, { loaders }: Context) => loaders.apisById.load(id),
    },
    ApiScope: described,
    ApiRole: described,
    Query: {
      apis: (_parent: unknown, args: PagingArguments, { tenant }: Context) =>
        countedPageById(args, {
          kind: 'api',
          rows: (page) => apis.page(tenant, page),
          total: () => apis.count(tenant),
        }),
      api: (_parent: unknown, { id }: { id: string }, { loaders }: Context) => loaders.apisById.load(id),
    },
    Mutation: { ...apiChanges(deps), deleteApi: deletion(deps) },
  };
}

const described = {
  descriptions: ({ descriptions }: ApiScope) =>
    Object.entries(descriptions).map(([language, text]) => ({ language, text })),
};

function apiChanges(deps: ApiGraphDependencies): TypeResolvers<ApiLoaders> {
  const { apis } = deps;
  const again =
    ({ tenant }: Context) =>
    async (id: string) => ({ api: (await apis.find(tenant, id)) ?? null });
  return {
    registerApi(_parent: unknown, { input }: { input: RegisterInput }, context: Context) {
      const { identifier } = input;
      const asked = { ...defaults, ...settingsOf(input), name: input.name, identifier };
      return once(
        deps,
        context,
        'registerApi',
        input,
        async (claim) => ({ api: await apis.register(context.tenant, asked, claim) }),
        again(context),
      );
    },
    updateApi(_parent: unknown, { input }: { input: SettingsInput & ChangeInput }, context: Context) {
      return once(
        deps,
        context,
        'updateApi',
        input,
        async (claim) => {
          const api = await apis.update(context.tenant, input.id, settingsOf(input), termsOf(input, claim));
          if (!api) throw notFound('The API');
          return { api };
        },
        again(context),
      );
    },
  };
}

const deletion =
  (deps: ApiGraphDependencies) =>
  (_parent: unknown, { input }: { input: ChangeInput }, context: Context) =>
    once(
      deps,
      context,
      'deleteApi',
      input,
      async (claim) => {
        if (!(await deps.apis.remove(context.tenant, input.id, termsOf(input, claim))))
          throw notFound('The API');
        return { id: input.id };
      },
      () => ({ id: input.id }),
    );

const defaults: Omit<Required<ApiSettings>, 'name'> = {
  scopes: [],
  roles: [],
  tokenLifetimeSeconds: null,
  tokenFormat: 'jwt',
  claims: [],
};

/** Returns the given settings; null restores a default. */
function settingsOf({
  name,
  scopes,
  roles,
  tokenLifetimeSeconds,
  tokenFormat,
  claims,
}: SettingsInput): Partial<ApiSettings> {
  if (name === null) throw badUserInput('"name" must not be null.', { argument: 'name' });
  return {
    ...(name === undefined ? {} : { name }),
    ...(scopes === undefined ? {} : { scopes: (scopes ?? []).map((scope) => readNamed('scopes', scope)) }),
    ...(roles === undefined ? {} : { roles: (roles ?? []).map((role) => readNamed('roles', role)) }),
    ...(tokenLifetimeSeconds === undefined ? {} : { tokenLifetimeSeconds }),
    ...(tokenFormat === undefined ? {} : { tokenFormat: tokenFormat ?? defaults.tokenFormat }),
    ...(claims === undefined ? {} : { claims: claims ?? defaults.claims }),
  };
}

function readNamed(argument: 'scopes' | 'roles', { name, descriptions }: ScopeInput): ApiScope {
  const texts = (descriptions ?? []).map(({ language, text }) => [language.toLowerCase(), text] as const);
  if (new Set(texts.map(([language]) => language)).size < texts.length)
    throw badUserInput(`"${argument}" must have one description for each language.`, { argument });
  return { name, descriptions: Object.fromEntries(texts) };
}
