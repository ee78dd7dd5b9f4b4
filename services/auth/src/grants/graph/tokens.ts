import { countedPageById, type GraphContext, type PagingArguments, type TypeResolvers } from '@ostiary/graph';
import type { PeopleDependencies } from '../../composition/people.ts';
import type { ApiTokenSummary } from '../../machines/index.ts';
import type { OwnerFilter } from '../../ownership/index.ts';
import { type AuthLoaders, filterOf, type Given } from '../../subgraph/graph/index.ts';
import {
  countTokens,
  type TokenFilter,
  type TokenOwner,
  tokenPage,
} from '../../upkeep/data/administration.ts';

type Context = GraphContext<AuthLoaders>;
type TokenInput = PagingArguments & {
  filter?: Given<GivenFilter> | null;
};
type GivenFilter = Omit<TokenFilter, 'of' | 'owned'> &
  OwnerFilter & { userId?: string; serviceAccountId?: string };

/** The personal access tokens and API keys of a whole tenant. */
export function tokenResolvers(deps: PeopleDependencies): {
  PersonalAccessToken: TypeResolvers<AuthLoaders>;
  ApiKey: TypeResolvers<AuthLoaders>;
  Query: TypeResolvers<AuthLoaders>;
} {
  const { sql } = deps.database;
  const tokens = (
    kind: string,
    owner: TokenOwner,
    { filter: given, ...input }: TokenInput,
    tenant: string,
  ) => {
    const { userId, serviceAccountId, ownerId, hasOwner, ...rest } = filterOf<GivenFilter>(given);
    const of = userId ?? serviceAccountId;
    const owned: OwnerFilter = {
      ...(ownerId !== undefined && { ownerId }),
      ...(hasOwner !== undefined && { hasOwner }),
    };
    const filter: TokenFilter = { ...rest, owned, ...(of !== undefined && { of }) };
    return countedPageById(input, {
      kind,
      rows: (page) => tokenPage(sql, tenant, owner, filter, page),
      total: () => countTokens(sql, tenant, owner, filter),
    });
  };
  return {
    PersonalAccessToken: { user: ({ ownerId }: ApiTokenSummary) => ({ id: ownerId }) },
    ApiKey: { serviceAccountId: ({ ownerId }: ApiTokenSummary) => ownerId },
    Query: {
      personalAccessTokens: (_parent: unknown, input: TokenInput, { tenant }: Context) =>
        tokens('personal-access-token', 'subject_id', input, tenant),
      apiKeys: (_parent: unknown, input: TokenInput, { tenant }: Context) =>
        tokens('api-key', 'service_account_id', input, tenant),
    },
  };
}
