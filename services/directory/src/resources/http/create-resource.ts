import { writtenIn } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import type { ResourceType } from '../../schemas/index.ts';
import { conditionsOf, objectBody, objectField, originOf, textField, viewOf } from './body.ts';
import { type ResourceTenants, resourcePath, resourcesOf, sendScim, type TenantParams } from './routes.ts';

/** POST …/Users {resource, id?, credentialTicket?, actor, source?, clientId?} → 201 */
export function createResource(app: FastifyInstance, tenants: ResourceTenants, type: ResourceType): void {
  app.post<{ Params: TenantParams }>(resourcePath(type), async (request, reply) => {
    const body = objectBody(request.body);
    const { credentialTicket } = conditionsOf(body);
    const id = textField(body, 'id');
    const resources = await resourcesOf(tenants, request.params.tenant, type);
    const created = await resources.create({
      ...originOf(body),
      resource: objectField(body, 'resource'),
      ...(id !== undefined && { id }),
      ...(credentialTicket !== undefined && { credentialTicket }),
    });
    return sendScim(
      reply,
      201,
      await resources.presentNew(created, { ...viewOf(body), written: writtenIn(body.resource) }),
    );
  });
}
