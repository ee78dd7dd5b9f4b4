import { type GraphContext, notFound, type TypeResolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { Claim } from '../../protocol/index.ts';
import {
  type ActingDependencies,
  type OnceDependencies,
  once,
  type Reference,
} from '../../subgraph/graph/index.ts';
import type { Subjects } from '../../subjects/index.ts';
import type { Role } from '../domain/roles.ts';
import { requireMayGive } from './acting.ts';
import type { RoleLoaders } from './loaders.ts';

type Context = GraphContext<RoleLoaders>;
type Input<T> = { input: T & { idempotencyKey?: string | null } };
interface RoleInput {
  userId: string;
  role: Role;
}

export interface UserRoleDependencies extends OnceDependencies, ActingDependencies {
  subjects: Subjects & {
    assignRole(tenant: string, id: string, role: Role, claim?: Claim): Promise<unknown>;
    removeRole(tenant: string, id: string, role: Role, claim?: Claim): Promise<unknown>;
  };
}

/** The roles of users. */
export function userRoleResolvers(deps: UserRoleDependencies): {
  User: TypeResolvers<RoleLoaders>;
  Role: Record<string, Role>;
  Mutation: TypeResolvers<RoleLoaders>;
} {
  return {
    User: {
      roles: async ({ id }: Reference, _args: object, { loaders }: Context) =>
        isUuid(id) ? ((await loaders.roles.load(id))?.roles ?? []) : [],
      roleSources: ({ id }: Reference, _args: object, { loaders }: Context) =>
        isUuid(id) ? loaders.roleSources.load(id) : [],
    },
    Role: { TENANT_ADMIN: 'tenant_admin', HELP_DESK: 'help_desk', AUDITOR: 'auditor' },
    Mutation: {
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
        await deps.acting.requireMayActOn(context, user.id);
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
