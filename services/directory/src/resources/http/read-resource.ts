import type { FastifyInstance } from 'fastify';
import type { ResourceType } from '../../schemas/index.ts';
import { objectBody, viewOf } from './body.ts';
import { type ResourceParams, type ResourceTenants, resourcePath, resourcesOf, sendScim } from './routes.ts';

/** GET …/Users/{id}?source=&attributes=&excludedAttributes= → 200 | 404 */
export function readResource(app: FastifyInstance, tenants: ResourceTenants, type: ResourceType): void {
  app.get<{ Params: ResourceParams }>(`${resourcePath(type)}/:id`, async (request, reply) => {
    const view = viewOf(objectBody(request.query));
    const resources = await resourcesOf(tenants, request.params.tenant, type);
    return sendScim(reply, 200, await resources.show(request.params.id, view));
  });
}
