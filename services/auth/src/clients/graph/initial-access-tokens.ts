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
import { isUuid } from '@ostiary/service';
import type { Owners } from '../../access/index.ts';
import { isKnownScope } from '../../access/index.ts';
import { ownerToBe } from '../../access/ownership/graph/ownership.ts';
import { type OnceDependencies, once } from '../../platform/subgraph/graph/idempotency.ts';
import { byId, type Reference } from '../../platform/subgraph/graph/references.ts';
import {
  type InitialAccessToken,
  type RegistrationStore,
  usualScopes,
} from '../domain/dynamic-registration.ts';

type Context = GraphContext<InitialAccessTokenLoaders>;

interface CreateInput {
  name: string;
  scopes?: readonly string[] | null;
  uses?: number | null;
  expiresIn?: number | null;
  idempotencyKey?: string | null;
}

const day = 86_400;
/** Maximum number of tokens in the list without pages. */
const maxBatchSize = 100;

export interface InitialAccessTokenLoaders {
  initialAccessTokensById: DataLoader<string, InitialAccessToken | null>;
}

export const initialAccessTokenLoaders =
  ({ registrations }: InitialAccessTokenDependencies) =>
  ({ tenant }: LoaderScope): InitialAccessTokenLoaders => ({
    initialAccessTokensById: byId((ids) => registrations.tokensOf(tenant, ids)),
  });

export interface InitialAccessTokenDependencies extends OnceDependencies {
  registrations: RegistrationStore;
  owners: Owners;
}

/** Resolvers of initial access tokens (RFC 7591 §1.2). */
export function initialAccessTokenResolvers(deps: InitialAccessTokenDependencies): {
  InitialAccessToken: TypeResolvers<InitialAccessTokenLoaders>;
  Query: TypeResolvers<InitialAccessTokenLoaders>;
  Mutation: TypeResolvers<InitialAccessTokenLoaders>;
} {
  const { registrations } = deps;
  return {
    InitialAccessToken: {
      __resolveReference: ({ id }: Reference, { loaders }: Context) =>
        loaders.initialAccessTokensById.load(id),
    },
    Query: {
      initialAccessTokens: (_parent: unknown, _args: object, { tenant }: Context) =>
        registrations.listTokens(tenant, { limit: maxBatchSize, direction: 'forward' }),
      liveInitialAccessTokens: (_parent: unknown, args: PagingArguments, { tenant }: Context) =>
        countedPageById(args, {
          kind: 'initial-access-token',
          rows: (page) => registrations.listTokens(tenant, page),
          total: () => registrations.countTokens(tenant),
        }),
    },
    Mutation: initialAccessTokenMutations(deps),
  };
}

function initialAccessTokenMutations(
  deps: InitialAccessTokenDependencies,
): TypeResolvers<InitialAccessTokenLoaders> {
  const { registrations } = deps;
  return {
    createInitialAccessToken(_parent: unknown, { input }: { input: CreateInput }, context: Context) {
      const scopes = checkScopes(input.scopes ?? usualScopes);
      const { tenant } = context;
      const asked = {
        name: checkName(input.name),
        scopes,
        uses: within('uses', input.uses ?? 1, 1, 1_000),
        lifetimeSeconds: within('expiresIn', input.expiresIn ?? day, 60, 90 * day),
      };
      return once(
        deps,
        context,
        'createInitialAccessToken',
        input,
        async (claim) =>
          registrations.createToken(
            tenant,
            asked,
            claim,
            // Clients registered with the token belong to the owner of the token.
            await ownerToBe(deps, context, 'client', undefined),
          ),
        async (id) => ({ initialAccessToken: (await registrations.tokenOf(tenant, id)) ?? null }),
      );
    },
    revokeInitialAccessToken(
      _parent: unknown,
      { input }: { input: { id: string; idempotencyKey?: string | null } },
      context: Context,
    ) {
      const { id } = input;
      return once(
        deps,
        context,
        'revokeInitialAccessToken',
        input,
        async (claim) => {
          const revoked = isUuid(id) && (await registrations.revokeToken(context.tenant, id, claim));
          if (!revoked) throw notFound('The initial access token');
          return { id, initialAccessTokenId: id };
        },
        () => ({ id, initialAccessTokenId: id }),
      );
    },
  };
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 200 || /\p{C}/u.test(trimmed)) {
    throw badUserInput('"name" must be 1 to 200 printable characters.', { argument: 'name' });
  }
  return trimmed;
}

function checkScopes(scopes: readonly string[]): string[] {
  const unknown = scopes.find((scope) => !isKnownScope(scope));
  if (unknown !== undefined)
    throw badUserInput(`"scopes" names "${unknown.slice(0, 128).toWellFormed()}", which does not exist.`, {
      argument: 'scopes',
    });
  return [...new Set(scopes)];
}

function within(argument: string, value: number, least: number, most: number): number {
  if (value < least || value > most) {
    throw badUserInput(`"${argument}" must be between ${least} and ${most}.`, { argument });
  }
  return value;
}
