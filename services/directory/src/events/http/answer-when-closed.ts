import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccessEnds, EndingRequest } from '../domain/access-ends.ts';

const usualWaitMs = 50;

export interface Closing {
  ends: AccessEnds;
  /** Resolves when what was committed before has been handed over, or can't be now. */
  settled(): Promise<void>;
  /** How long an answer waits for doors to close, in ms, whatever becomes of that; 50 unless said. */
  longestMs?: number;
}

/**
 * Whatever ended access, by whichever route, is answered when the services that hold the doors have closed them, which takes some
 * milliseconds; or after a moment, because what they haven't taken in by then is carried to them by the queue all the same.
 */
export function answerWhenClosed(app: FastifyInstance, closing: Closing): void {
  const { ends } = closing;
  const requests = new WeakMap<FastifyRequest, EndingRequest>();
  // After the body was read: reading it leaves the context that a request began in.
  app.addHook('preHandler', (request, _reply, next) => {
    const ending = { endsAccess: false };
    requests.set(request, ending);
    ends.run(ending, next);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (!requests.get(request)?.endsAccess) return payload;
    if (prefersProcessing(request)) reply.raw.writeProcessing();
    await within(closing.longestMs ?? usualWaitMs, closing.settled());
    return payload;
  });
}

/** Who has more to ask for goes on with it as soon as this has taken effect (102, RFC 2518 §10.1). */
const prefersProcessing = ({ headers: { prefer } }: FastifyRequest): boolean => prefer === 'processing';

async function within(ms: number, closed: Promise<void>): Promise<void> {
  const over = new AbortController();
  await Promise.race([
    closed.catch(() => undefined),
    sleep(ms, undefined, { signal: over.signal }).catch(() => undefined),
  ]);
  over.abort();
}
