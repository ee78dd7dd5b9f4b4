import type { IncomingMessage } from 'node:http';
import { type Readable, Transform } from 'node:stream';

/** The request's body, which came in chunks, went past the limit while it was passed on. */
export class BodyTooLarge extends Error {}

/**
 * Bodies up to this many bytes are passed on when they are here as a whole: what a paused stream would hold anyway. They cost the service one
 * read instead of several, take no connection to it while a slow client sends them, and one that breaks off never gets there.
 */
const wholeUpTo = 65_536;

/** A body that is passed on as it comes, one that is short enough to be awaited, or none. */
export type PassedBody =
  | { kind: 'none' }
  | { kind: 'whole'; length: number }
  | { kind: 'stream'; stream: () => Readable };

const none: PassedBody = { kind: 'none' };

/**
 * How the body is to be passed on.
 *
 * The limit is the service's own, checked here first (by `objectionTo` where the length is announced; what comes in chunks fails with
 * `BodyTooLarge` in the stream): a service that answers 413 and hangs up while we are still sending leaves nothing but a broken connection,
 * which looks like a crash and would be answered as one.
 */
export function bodyOf(request: IncomingMessage, limit: number): PassedBody {
  // Through a stream of its own: what becomes of the service's connection must not end the client's.
  const stream = { kind: 'stream', stream: () => request.pipe(limited(limit)) } as const;
  if (request.headers['transfer-encoding'] !== undefined) return stream;
  const length = Number(request.headers['content-length'] ?? 0);
  if (length > wholeUpTo) return stream;
  return length > 0 ? { kind: 'whole', length } : none;
}

/** Hands over a body when all of it is there; one that breaks off is never handed over. */
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
