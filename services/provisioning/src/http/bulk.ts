import { ScimError } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';

/** POST /Bulk → 501, as ServiceProviderConfig announces (RFC 7644 section 3.7). */
export function bulk(app: FastifyInstance): void {
  app.post('/Bulk', { config: { access: 'scim:write' } }, async () => {
    throw ScimError.notImplemented('Bulk operations are not supported; see /ServiceProviderConfig.');
  });
}
