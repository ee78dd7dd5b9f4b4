import type { FastifyInstance } from 'fastify';
import type { Directory } from '../../composition/directory.ts';
import type { TenantParams } from '../../resources/http/routes.ts';

/** GET …/schemas → {version, schemas}: what the tenant has defined beside the RFC's own, as definitions */
export function readSchemas(app: FastifyInstance, directory: Directory): void {
  app.get<{ Params: TenantParams }>('/internal/v1/tenants/:tenant/schemas', async (request) => {
    const { version, schemas } = await (await directory.of(request.params.tenant)).schemas.listed();
    return {
      version,
      schemas: schemas.map(({ urn, name, description, resourceType, required, attributes }) => ({
        id: urn,
        name,
        description,
        resourceType,
        required,
        attributes,
      })),
    };
  });
}
