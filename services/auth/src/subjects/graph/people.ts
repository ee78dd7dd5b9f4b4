import { type GraphContext, notFound, requirePrincipal, type TypeResolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { PeopleDependencies } from '../../composition/people.ts';
import type { GrantSummary } from '../../grants/index.ts';
import type { Role } from '../../roles/index.ts';
import type { SessionSummary } from '../../sessions/index.ts';
import { type AuthLoaders, once, requireMayActOn, requireMayGive } from '../../subgraph/graph/index.ts';

type Context = GraphContext<AuthLoaders>;
type Input<T> = { input: T & { idempotencyKey?: string | null } };
interface UserReference {
  id: string;
}
interface RoleInput {
  userId: string;
  role: Role;
}

/** Sessions, grants and roles of people. */
export function peopleResolvers(deps: PeopleDependencies): {
  User: TypeResolvers<AuthLoaders>;
  Role: Record<string, Role>;
  Session: TypeResolvers<AuthLoaders>;
  Grant: TypeResolvers<AuthLoaders>;
  Mutation: TypeResolvers<AuthLoaders>;
} {
  return {
    User: {
      __resolveReference: ({ id }: UserReference): UserReference => ({ id }),
      sessions: ({ id }: UserReference, _args: object, { loaders }: Context) =>
        isUuid(id) ? loaders.sessions.load(id) : [],
      grants: ({ id }: UserReference, _args: object, { loaders }: Context) =>
        isUuid(id) ? loaders.grants.load(id) : [],
      roles: async ({ id }: UserReference, _args: object, { loaders }: Context) =>
        isUuid(id) ? ((await loaders.roles.load(id))?.roles ?? []) : [],
      roleSources: ({ id }: UserReference, _args: object, { loaders }: Context) =>
        isUuid(id) ? loaders.roleSources.load(id) : [],
    },
    Role: { TENANT_ADMIN: 'tenant_admin', HELP_DESK: 'help_desk', AUDITOR: 'auditor' },
    Session: {
      current: (session: SessionSummary, _args: object, { principal }: Context) =>
        principal?.sessionId === session.id,
    },
    Grant: {
      clientName: async (grant: GrantSummary, _args: object, { tenant }: Context) =>
        (await deps.clients.find(tenant, grant.clientId))?.name ?? null,
    },
    Mutation: {
      revokeSession(_parent: unknown, { input }: Input<{ id: string }>, context: Context) {
        const { tenant } = context;
        const { id } = input;
        return once(
          deps,
          context,
          'revokeSession',
          input,
          async (claim) => {
            const owner = await deps.sessions.owner(tenant, id);
            // Somebody else's session answers like one that doesn't exist.
            if (owner === undefined || !mayEndSessionsOf(context, owner)) throw notFound('The session');
            await requireMayActOn(deps, context, owner);
            if (!(await deps.sessions.revoke(tenant, id, claim))) throw notFound('The session');
            return { sessionId: id };
          },
          () => ({ sessionId: id }),
        );
      },
      async revokeAllSessions(
        _parent: unknown,
        { input }: Input<{ userId?: string | null }>,
        context: Context,
      ) {
        const principal = requirePrincipal(context);
        const id = input.userId ?? (principal.kind === 'user' ? principal.subject : undefined);
        if (id === undefined || !mayEndSessionsOf(context, id) || !isUuid(id)) throw notFound('The user');
        await requireMayActOn(deps, context, id);
        return once(
          deps,
          context,
          'revokeAllSessions',
          input,
          async (claim) => {
            if (!(await deps.subjects.signOutEverywhere(context.tenant, id, claim)))
              throw notFound('The user');
            return { user: { id } };
          },
          () => ({ user: { id } }),
        );
      },
      async assignRole(_parent: unknown, { input }: Input<RoleInput>, context: Context) {
        const { tenant } = context;
        const { userId, role } = input;
        const person = await deps.subjects.find(tenant, userId);
        if (!person) throw notFound('The user');
        const user = { id: person.id };
        return once(
          deps,
          context,
          'assignRole',
          input,
          async (claim) => {
            await deps.subjects.assignRole(tenant, user.id, role, claim);
            return { user };
          },
          () => ({ user }),
        );
      },
      async removeRole(_parent: unknown, { input }: Input<RoleInput>, context: Context) {
        const { tenant } = context;
        const { userId, role } = input;
        requireMayGive(context, role);
        const person = await deps.subjects.find(tenant, userId);
        if (!person) throw notFound('The user');
        const user = { id: person.id };
        await requireMayActOn(deps, context, user.id);
        return once(
          deps,
          context,
          'removeRole',
          input,
          async (claim) => {
            await deps.subjects.removeRole(tenant, user.id, role, claim);
            return { user };
          },
          () => ({ user }),
        );
      },
    },
  };
}

function mayEndSessionsOf(context: Context, subjectId: string): boolean {
  const principal = requirePrincipal(context);
  return (
    principal.scopes.has('sessions:write') || (principal.kind === 'user' && principal.subject === subjectId)
  );
}
