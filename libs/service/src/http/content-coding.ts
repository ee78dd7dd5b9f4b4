import { createGunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** What Fastify compares with Content-Length, of a body that isn't what came over the wire. */
interface Inflated {
  receivedEncodedLength: number;
}

/** The errors of a surface, in its own form. */
export interface CodingErrors {
  /** 415 */
  unsupported: (message: string) => Error;
  /** 413 */
  tooLarge: (message: string) => Error;
}

const withStatus =
  (statusCode: number) =>
  (message: string): Error =>
    Object.assign(new Error(message), { statusCode });

const plainErrors: CodingErrors = { unsupported: withStatus(415), tooLarge: withStatus(413) };

/**
 * Reads bodies that are compressed with gzip (RFC 9110 section 8.4), as long as the inflated body is within the limit: a few
 * kilobytes can stand for gigabytes, so inflating stops at the limit. Any other coding is 415, with the accepted ones in
 * Accept-Encoding (section 12.5.3).
 * @param bodyLimit bytes
 */
export function inflateBodies(app: FastifyInstance, bodyLimit: number, errors = plainErrors): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (coding === '' || coding === 'identity') return done(null, payload);
    if (coding !== 'gzip' && coding !== 'x-gzip') {
      reply.header('accept-encoding', 'gzip, identity');
      return done(errors.unsupported('The body may be sent as it is or compressed with gzip.'));
    }
    const inflated = Object.assign(createGunzip(), { receivedEncodedLength: 0 } satisfies Inflated);
    let size = 0;
    payload.on('data', (chunk: Buffer) => {
      inflated.receivedEncodedLength += chunk.length;
    });
    payload.on('error', (error: Error) => inflated.destroy(error));
    inflated.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > bodyLimit) inflated.destroy(errors.tooLarge('The request body is too large.'));
    });
    // The reader of the body gets the first error; there may be another when the rest is thrown away.
    inflated.on('error', () => payload.unpipe(inflated).resume());
    payload.pipe(inflated);
    return done(null, inflated);
  });
}
