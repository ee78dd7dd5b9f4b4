import type { FastifyInstance } from 'fastify';
import { createResource } from './create-resource.ts';
import { deleteResource } from './delete-resource.ts';
import { patchResource } from './patch-resource.ts';
import { readResource } from './read-resource.ts';
import { replaceResource } from './replace-resource.ts';
import type { ResourceTenants } from './routes.ts';
import { searchResources } from './search-resources.ts';

/** Registers the endpoints of both resource types. */
export function resourceRoutes(app: FastifyInstance, tenants: ResourceTenants): void {
  for (const type of ['User', 'Group'] as const) {
    createResource(app, tenants, type);
    readResource(app, tenants, type);
    searchResources(app, tenants, type);
    replaceResource(app, tenants, type);
    patchResource(app, tenants, type);
    deleteResource(app, tenants, type);
  }
}
