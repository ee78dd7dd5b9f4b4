import type { FastifyInstance } from 'fastify';
import type { ProtectedHost } from './domain/decisions.ts';

/**
 * Serves the metadata of the protected resources (RFC 9728 §3), for hosts whose proxy routes this path to the
 * guard. Challenges name its address.
 */
export function readMetadata(app: FastifyInstance, hosts: ReadonlyMap<string, ProtectedHost>): void {
  for (const path of ['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/*'])
    app.get(path, async (request, reply) => {
      const found = hosts.get(request.host.toLowerCase());
      if (found === undefined || found.verifier.metadataPath !== request.url) return reply.callNotFound();
      return reply.header('cache-control', 'public, max-age=300').send(found.verifier.metadata());
    });
}
