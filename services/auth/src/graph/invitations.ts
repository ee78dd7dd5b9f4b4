import {
  badUserInput,
  conflict,
  forbidden,
  type GraphContext,
  notFound,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import type { PeopleDependencies } from '../people.ts';
import type { AuthLoaders } from './loaders.ts';

const longestSeconds = 2_592_000;

/** Inviting people to set their first password. */
export function invitationResolvers(deps: PeopleDependencies): { Mutation: TypeResolvers<AuthLoaders> } {
  return {
    Mutation: {
      async inviteUser(
        _parent: unknown,
        {
          input: { userId, expiresInSeconds },
        }: { input: { userId: string; expiresInSeconds?: number | null } },
        context: GraphContext<AuthLoaders>,
      ) {
        const seconds = expiresInSeconds ?? deps.env.INVITATION_TTL_SECONDS;
        if (seconds < 60 || seconds > longestSeconds) {
          throw badUserInput(`"expiresInSeconds" must be between 60 and ${longestSeconds}.`, {
            argument: 'expiresInSeconds',
          });
        }
        const { tenant } = context;
        const person = await deps.subjects.find(tenant, userId);
        if (!person) throw notFound('The user');
        // The link is as good as the account: who may not give a role may not open the door to one either.
        if (person.roles.length > 0 && !requirePrincipal(context).scopes.has('roles:write')) {
          throw forbidden(['roles:write']);
        }
        const result = await deps.invitations.invite(tenant, person.id, seconds);
        if (result.outcome === 'inactive') throw conflict('The user is not active.');
        if (result.outcome === 'settled') throw conflict('The user can sign in already.');
        return { url: result.url, expiresAt: result.expiresAt };
      },
    },
  };
}
