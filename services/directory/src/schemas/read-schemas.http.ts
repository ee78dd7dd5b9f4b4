import type { FastifyInstance } from 'fastify';
import type { Schemas } from './domain/schemas.ts';

/** @throws ScimError 404 when there is no such tenant */
interface Tenants {
  of(tenant: string): Promise<{ readonly schemas: Schemas }>;
}

/** GET …/schemas → {version, schemas}: the definitions of the tenant's own schemas */
export function readSchemas(app: FastifyInstance, tenants: Tenants): void {
  app.get<{ Params: { tenant: string } }>('/internal/v1/tenants/:tenant/schemas', async (request) => {
    const { version, schemas } = await (await tenants.of(request.params.tenant)).schemas.listed();
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
