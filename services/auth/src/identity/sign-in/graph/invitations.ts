import {
  badUserInput,
  conflict,
  type GraphContext,
  notFound,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { mayActOn, rolesGivableWith } from '../../../access/index.ts';
import { beyondReach } from '../../../access/roles/graph/acting.ts';
import type { Claim } from '../../../platform/index.ts';
import { type OnceDependencies, once } from '../../../platform/subgraph/graph/idempotency.ts';
import type { Subjects } from '../../../tenancy/index.ts';
import type { Invitations } from '../domain/invitations.ts';

const maxSeconds = 2_592_000;

interface LinkInput {
  userId: string;
  expiresInSeconds?: number | null;
  idempotencyKey?: string | null;
  compromised?: boolean | null;
}

export interface InvitationDependencies extends OnceDependencies {
  invitations: Invitations;
  subjects: Subjects;
  env: { INVITATION_TTL_SECONDS: number };
}

/** Resolvers of links that set the first credentials or replace lost ones. */
export function invitationResolvers(deps: InvitationDependencies): { Mutation: TypeResolvers<unknown> } {
  async function link(
    { userId, expiresInSeconds, compromised }: LinkInput,
    resets: boolean,
    context: GraphContext<unknown>,
    claim?: Claim,
  ): Promise<{ url: string; expiresAt: Date }> {
    const seconds = expiresInSeconds ?? deps.env.INVITATION_TTL_SECONDS;
    if (seconds < 60 || seconds > maxSeconds) {
      throw badUserInput(`"expiresInSeconds" must be between 60 and ${maxSeconds}.`, {
        argument: 'expiresInSeconds',
      });
    }
    const { tenant } = context;
    const principal = requirePrincipal(context);
    const person = await deps.subjects.find(tenant, userId);
    if (!person) throw notFound('The user');
    const result = await deps.invitations.invite(tenant, {
      subjectId: person.id,
      lifetimeSeconds: seconds,
      resets,
      compromised: compromised === true,
      claim,
      carriedRoles: rolesGivableWith(principal.scopes),
      // The link gives access to the account, so the caller must be able to assign its roles.
      mayOpen: (roles) => mayActOn(principal.scopes, roles),
    });
    if (result.outcome === 'inactive') throw conflict('The user is not active.');
    if (result.outcome === 'privileged') throw beyondReach(principal.scopes);
    if (result.outcome === 'settled') throw conflict('The user can already sign in.');
    return { url: result.url, expiresAt: result.expiresAt };
  }

  /** The link is returned only once. A request with another key creates a new one. */
  const noLink = () => ({ url: null, expiresAt: null });

  return {
    Mutation: {
      inviteUser: (_parent: unknown, { input }: { input: LinkInput }, context: GraphContext<unknown>) =>
        once(deps, context, 'inviteUser', input, (claim) => link(input, false, context, claim), noLink),
      async resetUserAccess(
        _parent: unknown,
        { input }: { input: LinkInput },
        context: GraphContext<unknown>,
      ) {
        return once(
          deps,
          context,
          'resetUserAccess',
          input,
          (claim) => link(input, true, context, claim),
          noLink,
        );
      },
    },
  };
}
