import { requireService, type TokenVerifier } from '@ostiary/access';
import type { FastifyInstance } from 'fastify';
import {
  badRequest,
  internalTenant,
  missing,
  objectOf,
  type TenantDependencies,
  uuidOf,
} from '../../../platform/protocol/http/internal.ts';
import type { Subjects } from '../../../tenancy/index.ts';
import { isRole, type Role, roles } from '../domain/roles.ts';

export interface RoleRouteDependencies extends TenantDependencies {
  verifier: TokenVerifier;
  subjects: Subjects & {
    assignRole(tenant: string, id: string, role: Role): Promise<unknown>;
  };
}

/** POST /internal/v1/tenants/{t}/roles: creates the first administrator of a tenant, for the operator. */
export function roleRoutes(app: FastifyInstance, deps: RoleRouteDependencies): void {
  const onRequest = requireService(deps.verifier, 'auth', ['operator']);
  app.post('/internal/v1/tenants/:tenant/roles', { onRequest }, async (request, reply) => {
    const tenant = await internalTenant(deps, request);
    if (tenant === undefined) return missing(reply, 'tenant');
    const { subject, role } = objectOf(request.body);
    if (typeof role !== 'string' || !isRole(role))
      return badRequest(reply, `role must be one of ${roles.join(', ')}.`);
    const subjectId = uuidOf(subject);
    const person = subjectId === undefined ? null : await deps.subjects.find(tenant, subjectId);
    if (!person) return missing(reply, 'user');
    await deps.subjects.assignRole(tenant, person.id, role);
    return reply.code(204).send();
  });
}
