import { createGunzip } from 'node:zlib';
import type { FastifyInstance } from 'fastify';

/** Property that Fastify compares with Content-Length if the body was decoded. */
interface Inflated {
  receivedEncodedLength: number;
}

/** Errors of a surface, in its own format. */
export interface CodingErrors {
  /** Status 415. */
  unsupported: (message: string) => Error;
  /** Status 413. */
  tooLarge: (message: string) => Error;
}

const withStatus =
  (statusCode: number) =>
  (message: string): Error =>
    Object.assign(new Error(message), { statusCode });

const plainErrors: CodingErrors = { unsupported: withStatus(415), tooLarge: withStatus(413) };

/**
 * Accepts request bodies compressed with gzip (RFC 9110 section 8.4) up to the limit of the decompressed
 * size. Decompression stops at the limit, because kilobytes can expand to gigabytes. Other codings are
 * rejected with 415 and the accepted ones in Accept-Encoding (section 12.5.3).
 * @param bodyLimit maximum size in bytes after decompression
 */
export function inflateBodies(app: FastifyInstance, bodyLimit: number, errors = plainErrors): void {
  app.addHook('preParsing', (request, reply, payload, done) => {
    const coding = request.headers['content-encoding']?.trim().toLowerCase() ?? '';
    if (coding === '' || coding === 'identity') return done(null, payload);
    if (coding !== 'gzip' && coding !== 'x-gzip') {
      reply.header('accept-encoding', 'gzip, identity');
      return done(errors.unsupported('The only supported content coding is gzip.'));
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
    // The body reader gets the first error; discarding the rest may cause further ones.
    inflated.on('error', () => payload.unpipe(inflated).resume());
    payload.pipe(inflated);
    return done(null, inflated);
  });
}
