import { METHODS } from 'node:http';
import { ScimError } from '@ostiary/scim';
import type { FastifyInstance, HTTPMethods } from 'fastify';

/** All methods that Node.js parses; CONNECT never reaches a route. */
const methods = METHODS.filter((method) => method !== 'CONNECT');

/**
 * Records the methods of the routes registered from now on. The returned function makes all others respond 405 with
 * `Allow` on the same addresses (RFC 9110 §15.5.6).
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
        // No body is read for a rejected request.
        onRequest: async (_request, reply) => {
          reply.header('allow', allow);
          throw ScimError.methodNotAllowed();
        },
        handler: async () => undefined,
      });
    }
  };
}
