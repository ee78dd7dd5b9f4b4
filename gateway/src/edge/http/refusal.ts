import type { FastifyReply } from 'fastify';

/** Which protocol's error body the client understands. */
export const speaksScim = (url: string): boolean => /^\/t\/[^/?]*\/scim(?:[/?]|$)/.test(url);

const oauthErrors: Record<number, string> = {
  400: 'invalid_request',
  404: 'not_found',
  413: 'invalid_request',
  503: 'temporarily_unavailable',
};

/**
 * Answers in the shape of the protocol that was spoken to: a SCIM error (RFC 7644 §3.12) or an OAuth-style JSON one.
 */
export function refuse(reply: FastifyReply, url: string, status: number, detail: string): FastifyReply {
  reply.code(status).header('cache-control', 'no-store');
  if (speaksScim(url)) {
    return reply.header('content-type', 'application/scim+json; charset=utf-8').send(
      JSON.stringify({
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        status: String(status),
        detail,
      }),
    );
  }
  return reply.send({ error: oauthErrors[status] ?? 'error', error_description: detail });
}
