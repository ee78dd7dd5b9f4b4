import { badUserInput, type GraphContext, notFound, type TypeResolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { usualScopes } from '../domain/dynamic-registration.ts';
import { isKnownScope } from '../domain/scopes.ts';
import type { Protocol } from '../protocol.ts';
import { requireScopesOf } from './clients.ts';
import type { AuthLoaders } from './loaders.ts';

type Context = GraphContext<AuthLoaders>;

interface CreateInput {
  name: string;
  scopes?: readonly string[] | null;
  uses?: number | null;
  expiresIn?: number | null;
}

const day = 86_400;

/** Tokens with which software registers itself (RFC 7591 §1.2). */
export function initialAccessTokenResolvers({ registrations }: Pick<Protocol, 'registrations'>): {
  Query: TypeResolvers<AuthLoaders>;
  Mutation: TypeResolvers<AuthLoaders>;
} {
  return {
    Query: {
      initialAccessTokens: (_parent: unknown, _args: object, { tenant }: Context) =>
        registrations.listTokens(tenant),
    },
    Mutation: {
      createInitialAccessToken(_parent: unknown, { input }: { input: CreateInput }, context: Context) {
        const scopes = checkScopes(input.scopes ?? usualScopes);
        requireScopesOf(scopes, context);
        return registrations.createToken(context.tenant, {
          name: checkName(input.name),
          scopes,
          uses: within('uses', input.uses ?? 1, 1, 1_000),
          lifetimeSeconds: within('expiresIn', input.expiresIn ?? day, 60, 90 * day),
        });
      },
      async revokeInitialAccessToken(
        _parent: unknown,
        { input: { id } }: { input: { id: string } },
        { tenant }: Context,
      ) {
        const revoked = isUuid(id) && (await registrations.revokeToken(tenant, id));
        if (!revoked) throw notFound('The initial access token');
        return { initialAccessTokenId: id };
      },
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
    throw badUserInput('"scopes" names a scope that does not exist.', { argument: 'scopes' });
  return [...new Set(scopes)];
}

function within(argument: string, value: number, least: number, most: number): number {
  if (value < least || value > most) {
    throw badUserInput(`"${argument}" must be between ${least} and ${most}.`, { argument });
  }
  return value;
}
