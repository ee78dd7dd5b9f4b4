import { serviceProviderConfig } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import { pageLimits } from '../domain/query.ts';
import type { BaseOf } from './context.ts';
import { refuseFilter } from './discovery.ts';
import { sendScim } from './reply.ts';

/**
 * GET /ServiceProviderConfig (RFC 7644 section 4). Open to everybody, so that a client can find out how to authenticate
 * (RFC 7643 section 5); it says the same for every tenant, and whether the tenant exists or not.
 */
export function readServiceProviderConfig(app: FastifyInstance, baseOf: BaseOf, bodyLimit: number): void {
  app.get('/ServiceProviderConfig', { config: { access: 'public' } }, async (request, reply) => {
    refuseFilter(request);
    const config = serviceProviderConfig(
      {
        patch: true,
        // No operation is the most that can be done in bulk; the size is that of every request.
        bulk: { supported: false, maxOperations: 0, maxPayloadSize: bodyLimit },
        filter: { supported: true, maxResults: pageLimits.max },
        changePassword: true,
        sort: true,
        etag: true,
        pagination: {
          cursor: false,
          index: true,
          defaultPaginationMethod: 'index',
          defaultPageSize: pageLimits.default,
          maxPageSize: pageLimits.max,
        },
        authenticationSchemes: [
          {
            type: 'oauthbearertoken',
            name: 'Bearer token',
            description:
              "A connector's long-lived token, or an OAuth 2.0 access token, in the Authorization header.",
            specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
            primary: true,
          },
          {
            type: 'oauth2',
            name: 'OAuth 2.0',
            description: 'Client credentials of an OAuth client with the scopes scim:read and scim:write.',
            specUri: 'https://www.rfc-editor.org/rfc/rfc6749',
          },
        ],
      },
      baseOf(request),
    );
    return sendScim(request, reply, 200, config);
  });
}
