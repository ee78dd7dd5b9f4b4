import type { Revocation } from '@ostiary/access';
import {
  badUserInput,
  conflict,
  forbidden,
  type GraphContext,
  notFound,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { isUuid, type Transaction } from '@ostiary/service';
import type { Claim } from '../../../platform/index.ts';
import { type OnceDependencies, once } from '../../../platform/subgraph/graph/idempotency.ts';
import type { Reference } from '../../../platform/subgraph/graph/references.ts';
import { isApiRole, type Subjects, separateRoles } from '../../../tenancy/index.ts';
import type { AccessRenewal } from '../domain/access-renewal.ts';
import type { WayIn } from '../domain/role-sources.ts';
import { mayActOn, type Role, rolesGivableWith, signInScopes } from '../domain/roles.ts';
import { type ActingDependencies, beyondReach, requireMayGive } from './acting.ts';
import type { RoleLoaders } from './loaders.ts';

type Context = GraphContext<RoleLoaders>;
type Input<T> = { input: T & { idempotencyKey?: string | null } };
interface RoleInput {
  userId: string;
  role: Role;
  requireRenewal?: boolean | null;
}

interface RoleAssignment {
  claim: Claim | undefined;
  renew: ((tx: Transaction) => Promise<Revocation[]>) | undefined;
}

interface AssignedRole {
  notCarriedBy: WayIn[];
}

export interface UserRoleDependencies extends OnceDependencies, ActingDependencies {
  subjects: Subjects & {
    assignRole(tenant: string, id: string, role: Role, o: RoleAssignment): Promise<AssignedRole>;
    removeRole(tenant: string, id: string, role: Role, claim?: Claim): Promise<unknown>;
  };
  invitations: AccessRenewal;
  env: { INVITATION_TTL_SECONDS: number };
}

export function userRoleResolvers(deps: UserRoleDependencies): {
  User: TypeResolvers<RoleLoaders>;
  Role: Record<string, Role>;
  WayIn: Record<string, WayIn>;
  Mutation: TypeResolvers<RoleLoaders>;
} {
  return {
    User: {
      roles: async ({ id }: Reference, _args: object, { loaders }: Context) =>
        isUuid(id) ? separateRoles((await loaders.roles.load(id))?.roles ?? []).roles : [],
      roleSources: async ({ id }: Reference, _args: object, { loaders }: Context) =>
        isUuid(id) ? (await loaders.roleSources.load(id)).filter(isOfTenant) : [],
    },
    Role: { TENANT_ADMIN: 'tenant_admin', HELP_DESK: 'help_desk', AUDITOR: 'auditor' },
    WayIn: {
      PASSWORD: 'password',
      PASSKEY: 'passkey',
      AUTHENTICATOR_APP: 'authenticator_app',
      RECOVERY_CODES: 'recovery_codes',
      TRUSTED_ISSUER: 'trusted_issuer',
    },
    Mutation: { ...assigning(deps), ...removing(deps) },
  };
}

export const isOfTenant = ({ role }: { role: string }): boolean => !isApiRole(role);

function assigning(deps: UserRoleDependencies): TypeResolvers<RoleLoaders> {
  return {
    async assignRole(_parent: unknown, { input }: Input<RoleInput>, context: Context) {
      const { tenant } = context;
      if (input.requireRenewal === true) requireSignInScope(context);
      const person = await deps.subjects.find(tenant, input.userId);
      if (!person) throw notFound('The user');
      const user = { id: person.id };
      return once(
        deps,
        context,
        'assignRole',
        input,
        async (claim) => {
          const link = new RenewalLink(deps, context, user.id);
          const renew = input.requireRenewal === true ? (tx: Transaction) => link.make(tx) : undefined;
          const assigned = await deps.subjects.assignRole(tenant, user.id, input.role, { claim, renew });
          return { user, ...assigned, renewalUrl: link.url, renewalExpiresAt: link.expiresAt };
        },
        async () => {
          const sources = await context.loaders.roleSources.load(user.id);
          const { notCarriedBy = [] } = sources.find(({ role }) => role === input.role) ?? {};
          return { user, notCarriedBy, renewalUrl: null, renewalExpiresAt: null };
        },
      );
    },
  };
}

/** @throws FORBIDDEN when the caller may not reset the access of users: the renewal returns such a link */
function requireSignInScope(context: Context): void {
  const { scopes } = requirePrincipal(context);
  if (!signInScopes.some((scope) => scopes.has(scope))) throw forbidden(signInScopes);
}

/** Creates the link with which a user sets new sign-in methods, unless the current ones carry the role. */
class RenewalLink {
  readonly #deps: UserRoleDependencies;
  readonly #context: Context;
  readonly #subjectId: string;
  url: string | null = null;
  expiresAt: Date | null = null;

  constructor(deps: UserRoleDependencies, context: Context, subjectId: string) {
    this.#deps = deps;
    this.#context = context;
    this.#subjectId = subjectId;
  }

  /** @throws CONFLICT, FORBIDDEN */
  async make(tx: Transaction): Promise<Revocation[]> {
    const { scopes } = requirePrincipal(this.#context);
    const renewed = await this.#deps.invitations.renew(tx, this.#context.tenant, {
      subjectId: this.#subjectId,
      lifetimeSeconds: this.#deps.env.INVITATION_TTL_SECONDS,
      carriedRoles: rolesGivableWith(scopes),
      mayOpen: (roles) => mayActOn(scopes, roles),
    });
    if (renewed.outcome === 'privileged') throw beyondReach(scopes);
    if (renewed.outcome !== 'invited') throw conflict('The user is not active.');
    this.url = renewed.url;
    this.expiresAt = renewed.expiresAt;
    return renewed.revocations;
  }
}

function removing(deps: UserRoleDependencies): TypeResolvers<RoleLoaders> {
  return {
    async removeRole(_parent: unknown, { input }: Input<RoleInput>, context: Context) {
      const { tenant } = context;
      const { userId, role } = input;
      if (input.requireRenewal === true)
        throw badUserInput('"requireRenewal" is for assignRole.', { argument: 'requireRenewal' });
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
  };
}
