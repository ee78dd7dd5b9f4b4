import { SCIM_EVENT, serviceProviderConfig } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';
import { type BaseOf, tenantOf } from '../../access/http/index.ts';
import { sendScim } from '../../protocol/http/index.ts';
import { pageLimits } from '../../search/index.ts';
import { refuseFilter } from './discovery.ts';

/** Sent over streams of shared signals, whose transmitter is the authorization server. */
const securityEvents = { asyncRequest: 'none', eventUris: Object.values(SCIM_EVENT) } as const;

/**
 * GET /ServiceProviderConfig (RFC 7644 section 4). Open to everybody, so that a client can find out how to authenticate
 * (RFC 7643 section 5); it says the same for every tenant, and whether the tenant exists or not, but for `securityEvents`, which a
 * tenant may want announced. A caller with limits of its own gets those.
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
          // Who doesn't say gets both, as long as the total is known.
          defaultPaginationMethod: 'cursor',
          defaultPageSize: Math.min(pageLimits.default, maxPageSize),
          maxPageSize,
          cursorTimeout: limits.cursorTimeout,
        },
        // RFC 9967 added it, and clients that know only RFC 7643's members can't read what has one more.
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
