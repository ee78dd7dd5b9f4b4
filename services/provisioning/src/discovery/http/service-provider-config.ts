import { SCIM_EVENT, serviceProviderConfig } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import { type BaseOf, tenantOf } from '../../access/http/context.ts';
import { sendScim } from '../../protocol/http/reply.ts';
import { pageLimits } from '../../search/index.ts';
import { refuseFilter } from './discovery.ts';

/** Sent over streams of shared signals, whose transmitter is the authorization server. */
const securityEvents = { asyncRequest: 'none', eventUris: Object.values(SCIM_EVENT) } as const;

/**
 * GET /ServiceProviderConfig (RFC 7644 §4). It is public, so that clients can determine how to authenticate (RFC 7643
 * §5). The response is the same for every tenant, existing or not, except for `securityEvents`, which a tenant can
 * enable. A caller with limits of its own gets those.
 */
export function readServiceProviderConfig(
  app: FastifyInstance,
  baseOf: BaseOf,
  limits: {
    maxOperations: number;
    maxPayloadSize: number;
    cursorTimeout: number;
    announcesEvents: (tenant: string) => Promise<boolean>;
  },
): void {
  app.get('/ServiceProviderConfig', { config: { access: 'public' } }, async (request, reply) => {
    refuseFilter(request);
    const { bulkOperations, bulkPayloadBytes, pageSize = pageLimits.max } = request.caller?.limits ?? {};
    const maxPageSize = Math.min(pageSize, pageLimits.max);
    const config = serviceProviderConfig(
      {
        patch: true,
        bulk: {
          supported: true,
          maxOperations: Math.min(bulkOperations ?? limits.maxOperations, limits.maxOperations),
          maxPayloadSize: Math.min(bulkPayloadBytes ?? limits.maxPayloadSize, limits.maxPayloadSize),
        },
        filter: { supported: true, maxResults: maxPageSize },
        changePassword: true,
        sort: true,
        etag: true,
        pagination: {
          cursor: true,
          index: true,
          // Clients that state no method get both, as long as the total is known.
          defaultPaginationMethod: 'cursor',
          defaultPageSize: Math.min(pageLimits.default, maxPageSize),
          maxPageSize,
          cursorTimeout: limits.cursorTimeout,
        },
        // Added by RFC 9967. Some clients reject members that RFC 7643 does not define.
        ...((await limits.announcesEvents(tenantOf(request))) && { securityEvents }),
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
