import { writtenIn } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import type { ResourceType } from '../../schemas/index.ts';
import { conditionsOf, objectBody, objectField, originOf, viewOf } from './body.ts';
import { type ResourceParams, type ResourceTenants, resourcePath, resourcesOf, sendScim } from './routes.ts';

/** PUT …/Users/{id} {resource, ifMatch?, credentialTicket?, actor, source?, clientId?} → 200 */
export function replaceResource(app: FastifyInstance, tenants: ResourceTenants, type: ResourceType): void {
  app.put<{ Params: ResourceParams }>(`${resourcePath(type)}/:id`, async (request, reply) => {
    const body = objectBody(request.body);
    const resources = await resourcesOf(tenants, request.params.tenant, type);
    const replaced = await resources.replace({
      id: request.params.id,
      ...originOf(body),
      ...conditionsOf(body),
      resource: objectField(body, 'resource'),
    });
    return sendScim(
      reply,
      200,
      await resources.present(replaced, { ...viewOf(body), written: writtenIn(body.resource) }),
    );
  });
}
