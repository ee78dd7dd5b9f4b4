import { writtenBy } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import type { ResourceType } from '../../schemas/index.ts';
import { conditionsOf, objectBody, originOf, viewOf } from './body.ts';
import { type ResourceParams, type ResourceTenants, resourcePath, resourcesOf, sendScim } from './routes.ts';

/**
 * PATCH …/Users/{id} {operations, ifMatch?, credentialTicket?, actor, source?, clientId?, attributes?,
 * excludedAttributes?} → 200
 */
export function patchResource(app: FastifyInstance, tenants: ResourceTenants, type: ResourceType): void {
  app.patch<{ Params: ResourceParams }>(`${resourcePath(type)}/:id`, async (request, reply) => {
    const body = objectBody(request.body);
    const resources = await resourcesOf(tenants, request.params.tenant, type);
    const patched = await resources.patch({
      id: request.params.id,
      ...originOf(body),
      ...conditionsOf(body),
      operations: body.operations,
    });
    return sendScim(
      reply,
      200,
      await resources.present(patched, { ...viewOf(body), written: writtenBy(body.operations) }),
    );
  });
}
