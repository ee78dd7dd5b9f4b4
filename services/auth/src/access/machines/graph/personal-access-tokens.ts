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
import { type OnceDependencies, once } from '../../../platform/subgraph/graph/idempotency.ts';
import type { Subjects } from '../../../tenancy/index.ts';
import type { ActingDependencies } from '../../roles/graph/acting.ts';
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
 * Reports whether a token may create personal access tokens. An API token could otherwise create its own successors and
 * survive its revocation, an exchanged token must end with its origin, and a key-bound token must not yield a bearer
 * token.
 */
export const mayMakeTokens = (principal: Principal): boolean =>
  !principal.apiToken && !isExchanged(principal) && principal.jkt === undefined;

export interface PersonalAccessTokenDependencies extends OnceDependencies, ActingDependencies {
  apiTokens: ApiTokens;
  subjects: Subjects;
}

/** Resolvers of users' personal access tokens. */
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

function creationMutations(deps: PersonalAccessTokenDependencies): TypeResolvers<MachineLoaders> {
  /** Returns the token created by an earlier request; null when it was revoked since. */
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
              // The new token is limited to the scopes of the requesting one.
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
          throw conflict('A user has at most 50 active personal access tokens. Revoke one first.');
        throw error;
      }
    },
  };
}

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
          // A token of another user gets the same error as an unknown one.
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
