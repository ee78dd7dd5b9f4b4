import type { FastifyInstance } from 'fastify';
import type { Directory } from '../../composition/directory.ts';
import type { ResourceType } from '../data/rows.ts';
import { objectBody, viewOf } from './body.ts';
import { type ResourceParams, resourcePath, sendScim } from './routes.ts';

/** GET …/Users/{id}?source=&attributes=&excludedAttributes= → 200 | 404 */
export function readResource(app: FastifyInstance, directory: Directory, type: ResourceType): void {
  app.get<{ Params: ResourceParams }>(`${resourcePath(type)}/:id`, async (request, reply) => {
    const view = viewOf(objectBody(request.query));
    const resources = (await directory.of(request.params.tenant)).resources(type);
    return sendScim(reply, 200, await resources.show(request.params.id, view));
  });
}
