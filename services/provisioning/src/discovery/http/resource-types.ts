import { resourceTypes } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import type { BaseOf } from '../../access/http/context.ts';
import { discoverable, type RegistryOf } from './discovery.ts';

/** GET /ResourceTypes, GET /ResourceTypes/{name} (RFC 7643 §6, RFC 7644 §4) */
export function readResourceTypes(app: FastifyInstance, baseOf: BaseOf, registries: RegistryOf): void {
  discoverable(app, '/ResourceTypes', baseOf, async (base, tenant) =>
    resourceTypes(await registries(tenant), base),
  );
}
