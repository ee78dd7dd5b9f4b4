import { createGunzip } from 'node:zlib';
import { ScimError } from '@ostiary/scim';
import type { FastifyInstance } from 'fastify';

/** What Fastify compares with Content-Length, of a body that isn't what came over the wire. */
interface Inflated {
  receivedEncodedLength: number;
}

/**
 * Reads bodies that are compressed with gzip (RFC 9110 section 8.4), as long as what comes out is no larger than a body may be: a few
 * kilobytes can stand for gigabytes, so inflating stops where that is known. Any other coding is 415, with what would do in
 * Accept-Encoding (section 12.5.3).
 */
export function inflateBodies(app: FastifyInstance, bodyLimit: number): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (coding === '' || coding === 'identity') return done(null, payload);
    if (coding !== 'gzip' && coding !== 'x-gzip') {
      reply.header('accept-encoding', 'gzip, identity');
      return done(ScimError.unsupportedMediaType('The body may be sent as it is or compressed with gzip.'));
    }
    const inflated = Object.assign(createGunzip(), { receivedEncodedLength: 0 } satisfies Inflated);
    let size = 0;
    payload.on('data', (chunk: Buffer) => {
      inflated.receivedEncodedLength += chunk.length;
    });
    payload.on('error', (error: Error) => inflated.destroy(error));
    inflated.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > bodyLimit) inflated.destroy(ScimError.payloadTooLarge('The request body is too large.'));
    });
    // The reader of the body gets the first error; there may be another when the rest is thrown away.
    inflated.on('error', () => payload.unpipe(inflated).resume());
    payload.pipe(inflated);
    return done(null, inflated);
  });
}
