import { schemas } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import type { BaseOf } from '../../access/http/context.ts';
import { discoverable, type RegistryOf } from './discovery.ts';

/** GET /Schemas, GET /Schemas/{urn} (RFC 7643 §7, RFC 7644 §4) */
export function readSchemas(app: FastifyInstance, baseOf: BaseOf, registries: RegistryOf): void {
  discoverable(app, '/Schemas', baseOf, async (base, tenant) => schemas(await registries(tenant), base));
}
