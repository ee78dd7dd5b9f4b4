import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';

/** The chunked body of the request exceeded the limit while it was forwarded. */
export class BodyTooLarge extends Error {}

/**
 * Maximum size in bytes of a body that is read completely before it is forwarded; a paused stream would buffer as
 * much. Such a body costs the service one read instead of several, holds no connection to the service while a slow
 * client sends it, and never arrives there when it is incomplete.
 */
const wholeUpTo = 65_536;

/** A body that is streamed, one that is read completely first, or none. */
export type PassedBody =
  | { kind: 'none' }
  | { kind: 'whole'; length: number }
  | { kind: 'stream'; stream: () => Readable };

const none: PassedBody = { kind: 'none' };

/**
 * Returns the way in which the body is forwarded.
 *
 * The limit is the service's own and is checked here first: an announced length by `objectionTo`, a chunked body in
 * the stream, which fails with `BodyTooLarge`. A service that responds 413 and closes the connection during the
 * upload would leave a broken connection, which is indistinguishable from a crash.
 */
export function bodyOf(request: IncomingMessage, limit: number): PassedBody {
  // A stream of its own: an error of the service's connection must not end the client's connection.
  const stream = { kind: 'stream', stream: () => request.pipe(limited(limit)) } as const;
  if (request.headers['transfer-encoding'] !== undefined) return stream;
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > wholeUpTo) return stream;
  return length > 0 ? { kind: 'whole', length } : none;
}

/** Passes on a body when it is complete. An incomplete body is never passed on. */
export function whenWhole(request: IncomingMessage, length: number, take: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const [first, ...more] = chunks;
    take(first !== undefined && more.length === 0 ? first : Buffer.concat(chunks, length));
  });
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
