import type { FastifyInstance } from 'fastify';
import type { ResourceType } from '../../schemas/index.ts';
import { conditionsOf, objectBody, originOf } from './body.ts';
import { type ResourceParams, type ResourceTenants, resourcePath, resourcesOf } from './routes.ts';

/** DELETE …/Users/{id} {ifMatch?, actor, source?, clientId?} → 204 */
export function deleteResource(app: FastifyInstance, tenants: ResourceTenants, type: ResourceType): void {
  app.delete<{ Params: ResourceParams }>(`${resourcePath(type)}/:id`, async (request, reply) => {
    const body = objectBody(request.body);
    const { ifMatch } = conditionsOf(body);
    const resources = await resourcesOf(tenants, request.params.tenant, type);
    await resources.remove({ id: request.params.id, ...originOf(body), ...(ifMatch && { ifMatch }) });
    return reply.code(204).send();
  });
}
