import { invalidRequest } from '@ostiary/access';
import { parseScimJson, ScimError } from '@ostiary/scim';
import { inflateBodies } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';

/**
 * Parses request bodies strictly: application/scim+json and application/json, in UTF-8. Other types get 415. A body
 * where none is expected (DELETE) is ignored.
 */
export function readBodies(app: FastifyInstance, bodyLimit: number): void {
  app.removeAllContentTypeParsers();
  inflateBodies(app, bodyLimit, {
    unsupported: ScimError.unsupportedMediaType,
    tooLarge: ScimError.payloadTooLarge,
  });
  app.addContentTypeParser(
    ['application/scim+json', 'application/json'],
    { parseAs: 'buffer', bodyLimit },
    (request, body, done) => {
      try {
        requireUtf8(request.headers['content-type']);
        if (request.routeOptions.config.keepBody) request.bodyBytes = body as Buffer;
        done(null, body.length === 0 ? undefined : parseScimJson(body as Buffer));
      } catch (error) {
        done(error as Error);
      }
    },
  );
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (request, body, done) => {
      // The caller is authenticated by the header; a second token is an error of its own (RFC 6750 §2).
      const twice = new URLSearchParams(body as string).has('access_token') && request.caller !== undefined;
      done(
        twice
          ? invalidRequest('The access token was sent in more than one place.')
          : ScimError.unsupportedMediaType(),
      );
    },
  );
  app.addContentTypeParser('*', (request, payload, done) => {
    payload.resume();
    if (request.method === 'DELETE') done(null, undefined);
    else done(ScimError.unsupportedMediaType());
  });
}

function requireUtf8(contentType: string | undefined): void {
  const charset = /;\s*charset\s*=\s*["']?([^\s"';]+)/i.exec(contentType ?? '')?.[1];
  // ASCII is UTF-8.
  if (charset && !/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw ScimError.unsupportedMediaType('The charset must be UTF-8.');
}
