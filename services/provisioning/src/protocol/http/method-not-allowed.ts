import { METHODS } from 'node:http';
import { ScimError } from '@ostiary/scim';
import type { FastifyInstance, HTTPMethods } from 'fastify';

/** Every method that Node.js can read; CONNECT never gets as far as a route. */
const methods = METHODS.filter((method) => method !== 'CONNECT');

/**
 * Remembers which methods the routes registered from now on have; the returned function then answers all others on
 * the same addresses with 405 and `Allow` (RFC 9110 section 15.5.6).
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  for (const method of methods) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true });
  }
  const allowed = new Map<string, Set<string>>();
  app.addHook('onRoute', (route) => {
    const path = route.url.slice(route.prefix.length);
    const known = allowed.get(path) ?? new Set();
    for (const method of [route.method].flat()) known.add(method);
    if (known.has('GET')) known.add('HEAD');
    allowed.set(path, known);
  });
  return () => {
    for (const [path, known] of [...allowed]) {
      const allow = [...known].sort().join(', ');
      app.route({
        method: methods.filter((method) => !known.has(method)) as HTTPMethods[],
        url: path,
        config: { access: 'public', refuses: true },
        // No body is read for a request that is refused anyway.
        onRequest: async (_request, reply) => {
          reply.header('allow', allow);
          throw ScimError.methodNotAllowed();
        },
        handler: async () => undefined,
      });
    }
  };
}
