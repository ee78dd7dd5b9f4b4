import { type Readable, Transform } from 'node:stream';
import type { FastifyRequest } from 'fastify';

/** The request's body went past the limit while it was passed on. */
export class BodyTooLarge extends Error {}

/**
 * The body to pass on, or null when there is none.
 *
 * The limit is the service's own, checked here first: a service that answers 413 and hangs up while we are still
 * sending leaves nothing but a broken connection, which looks like a crash and would be answered as one.
 * @throws BodyTooLarge at once by Content-Length; in the stream when the body comes in chunks
 */
export function bodyOf(request: FastifyRequest, limit: number): Readable | null {
  if (request.headers['transfer-encoding'] !== undefined) return request.raw.pipe(limited(limit));
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > limit) throw new BodyTooLarge();
  return length > 0 ? request.raw : null;
}

function limited(limit: number): Transform {
  let size = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      size += chunk.length;
      if (size > limit) done(new BodyTooLarge());
      else done(null, chunk);
    },
  });
}
