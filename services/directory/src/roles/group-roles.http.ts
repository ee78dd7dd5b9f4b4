import { requireService, type TokenVerifier } from '@ostiary/access';
import { type JsonObject, ScimError } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import {
  booleanField,
  flagField,
  idListField,
  integerField,
  objectBody,
  textField,
  textListField,
} from '../resources/http/body.ts';
import type { ResourceParams, TenantParams, TenantsWith } from '../resources/http/routes.ts';
import type { Managers } from './domain/ports.ts';
import type { Privileges } from './domain/privileges.ts';

/** Maximum number of groups and of ids in one request, and of members on one page. */
const most = { groups: 1_000, ids: 1_000, page: 1_000 };

type RoleTenants = TenantsWith<{ readonly privileges: Privileges }>;

const base = '/internal/v1/tenants/:tenant/Groups';

/**
 * Endpoints with which the authorization server manages the roles of groups, and provisioning determines the rights
 * of a connector.
 *
 * GET …/Groups/managed-privileges → {scopes}: scopes that identity sources can grant through the groups that they may
 * manage.
 *
 * PUT …/Users/{id}/privilege {scopes, version} → 204: sets the scopes required to change this user's identifiers.
 *
 * PUT …/Groups/{id}/privilege {scopes, identifyingScopes?, managedBySources, version} → 204 | 404: sets the scopes
 * required to add members, and to change identifiers of members, by default the same.
 *
 * POST …/Groups/effective-members {groups, ids} → {members: [{id, groups}], groups, missing}: the ids that are users
 * in these groups, directly or through others, and those that are groups.
 *
 * POST …/Groups/effective-members {groups, active: true, managers?: {ids, groups}} → {active, missing}: the groups
 * with an active member, direct or through others; with `managers`, one who is one of those users or in one of those
 * groups.
 *
 * POST …/Groups/effective-members {groups, after?, count} → {members, more, missing}: all their members, by id.
 */
export function groupRoles(app: FastifyInstance, tenants: RoleTenants, verifier: TokenVerifier): void {
  const onRequest = requireService(verifier, 'directory', ['auth']);
  privilegeRoutes(app, tenants, onRequest);

  app.get<{ Params: TenantParams }>(
    `${base}/managed-privileges`,
    { onRequest: requireService(verifier, 'directory', ['provisioning']) },
    async (request) => {
      const { privileges } = await tenants.of(request.params.tenant);
      return { scopes: await privileges.givenBySources() };
    },
  );

  app.post<{ Params: TenantParams }>(`${base}/effective-members`, { onRequest }, async (request) => {
    const body = objectBody(request.body);
    const groups = idListField(body, 'groups', most.groups);
    const { privileges } = await tenants.of(request.params.tenant);
    if (body.ids !== undefined) return privileges.membersAmong(groups, idListField(body, 'ids', most.ids));
    if (booleanField(body, 'active')) return privileges.attended(groups, managersOf(body));
    const limit = integerField(body, 'count') ?? most.page;
    if (limit < 1 || limit > most.page) throw ScimError.invalidValue(`"count" must be 1 to ${most.page}.`);
    return privileges.members(groups, { after: positionOf(body), limit });
  });
}

function privilegeRoutes(
  app: FastifyInstance,
  tenants: RoleTenants,
  onRequest: ReturnType<typeof requireService>,
): void {
  app.put<{ Params: ResourceParams }>(`${base}/:id/privilege`, { onRequest }, async (request, reply) => {
    const { tenant, id } = request.params;
    const body = objectBody(request.body);
    const { scopes, version } = privilegeOf(body);
    const { privileges } = await tenants.of(tenant);
    await privileges.set(
      {
        groupId: id,
        scopes,
        // A process of an earlier release does not send it.
        identifyingScopes: textListField(body, 'identifyingScopes') ?? scopes,
        managedBySources: flagField(body, 'managedBySources'),
      },
      version,
    );
    return reply.code(204).send();
  });

  app.put<{ Params: ResourceParams }>(
    '/internal/v1/tenants/:tenant/Users/:id/privilege',
    { onRequest },
    async (request, reply) => {
      const { tenant, id } = request.params;
      const { scopes, version } = privilegeOf(request.body);
      const { privileges } = await tenants.of(tenant);
      await privileges.setOfUser(id, scopes, version);
      return reply.code(204).send();
    },
  );
}

function managersOf(body: JsonObject): Managers | undefined {
  if (body.managers === undefined) return undefined;
  const given = objectBody(body.managers);
  return {
    users: idListField(given, 'ids', most.ids),
    groups: idListField(given, 'groups', most.groups),
  };
}

function privilegeOf(given: unknown): { scopes: string[]; version: number } {
  const body = objectBody(given);
  const scopes = textListField(body, 'scopes');
  const version = integerField(body, 'version');
  if (!scopes || version === undefined) throw ScimError.invalidSyntax('"scopes" and "version" are required.');
  return { scopes, version };
}

function positionOf(body: JsonObject): string | undefined {
  const after = textField(body, 'after');
  return after === undefined ? undefined : idListField({ after: [after] }, 'after', 1)[0];
}
