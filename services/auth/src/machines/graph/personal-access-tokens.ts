import { isExchanged, type Principal } from '@ostiary/access';
import {
  conflict,
  forbidden,
  type GraphContext,
  notFound,
  requirePrincipal,
  type TypeResolvers,
  unauthenticated,
} from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { type ActingDependencies, type OnceDependencies, once } from '../../subgraph/graph/index.ts';
import type { Subjects } from '../../subjects/index.ts';
import { type ApiTokens, OwnerGone, TooManyApiTokens } from '../domain/api-tokens.ts';
import type { MachineLoaders } from './loaders.ts';

type Context = GraphContext<MachineLoaders>;

interface CreateInput {
  name: string;
  scopes?: readonly string[] | null;
  expiresAt?: Date | null;
  idempotencyKey?: string | null;
}

/**
 * A token that makes its own successors would have no end, and its revocation no effect. And what was exchanged for others must end
 * with them. Nor may it be the way from a token that is bound to a key to one that anybody can use.
 */
export const mayMakeTokens = (principal: Principal): boolean =>
  !principal.apiToken && !isExchanged(principal) && principal.jkt === undefined;

export interface PersonalAccessTokenDependencies extends OnceDependencies, ActingDependencies {
  apiTokens: Pick<ApiTokens, 'listPersonal' | 'createPersonal' | 'personalOwner' | 'revoke'>;
  subjects: Subjects;
}

/** People's own tokens for scripts. */
export function personalAccessTokenResolvers(deps: PersonalAccessTokenDependencies): {
  User: TypeResolvers<MachineLoaders>;
  Mutation: TypeResolvers<MachineLoaders>;
} {
  return {
    User: {
      personalAccessTokens: ({ id }: { id: string }, _args: object, { loaders }: Context) =>
        isUuid(id) ? loaders.personalAccessTokens.load(id) : [],
    },
    Mutation: { ...creationMutations(deps), ...revocationMutations(deps) },
  };
}

/** Makes tokens. */
function creationMutations(deps: PersonalAccessTokenDependencies): TypeResolvers<MachineLoaders> {
  /** The token that was made before; null when it was revoked since. */
  const made = async ({ tenant }: Context, owner: string, id: string) =>
    (await deps.apiTokens.listPersonal(tenant, [owner])).find((token) => token.id === id) ?? null;

  return {
    async createPersonalAccessToken(_parent: unknown, { input }: { input: CreateInput }, context: Context) {
      const principal = requirePrincipal(context);
      if (!mayMakeTokens(principal)) throw forbidden();
      const subject = await deps.subjects.find(context.tenant, principal.subject);
      if (!subject) throw unauthenticated();
      try {
        return await once(
          deps,
          context,
          'createPersonalAccessToken',
          input,
          async (claim) => {
            const { summary, token } = await deps.apiTokens.createPersonal(
              context.tenant,
              subject,
              {
                name: input.name,
                scopes: input.scopes ?? undefined,
                expiresAt: input.expiresAt ?? undefined,
              },
              // An app that was allowed little can't make itself a token that may do more.
              {
                scopes: principal.scopes,
                epoch: principal.subjectEpoch ?? -1,
                grantId: principal.grantId,
                clientId: principal.clientId,
                acr: principal.acr,
                claim,
              },
            );
            return { personalAccessToken: summary, token };
          },
          async (id) => ({ personalAccessToken: await made(context, subject.id, id) }),
        );
      } catch (error) {
        if (error instanceof OwnerGone) throw unauthenticated();
        if (error instanceof TooManyApiTokens)
          throw conflict('The maximum number of tokens is reached. Revoke one first.');
        throw error;
      }
    },
  };
}

/** Ends them. */
function revocationMutations(deps: PersonalAccessTokenDependencies): TypeResolvers<MachineLoaders> {
  return {
    revokePersonalAccessToken(
      _parent: unknown,
      { input }: { input: { id: string; idempotencyKey?: string | null } },
      context: Context,
    ) {
      const { id } = input;
      const principal = requirePrincipal(context);
      return once(
        deps,
        context,
        'revokePersonalAccessToken',
        input,
        async (claim) => {
          const owner = await deps.apiTokens.personalOwner(context.tenant, id);
          const isOwn = principal.kind === 'user' && principal.subject === owner;
          // Somebody else's token answers like one that doesn't exist.
          if (owner === undefined || !(isOwn || principal.scopes.has('sessions:write'))) {
            throw notFound('The personal access token');
          }
          await deps.acting.requireMayActOn(context, owner);
          if (!(await deps.apiTokens.revoke(context.tenant, id, claim)))
            throw notFound('The personal access token');
          return { id, user: { id: owner } };
        },
        (owner) => ({ id, user: { id: owner } }),
      );
    },
  };
}
