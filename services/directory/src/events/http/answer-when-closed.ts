import { within } from '@ostiary/service';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AccessEnds, EndingRequest } from '../domain/access-ends.ts';

const usualWaitMs = 50;

export interface Closing {
  ends: AccessEnds;
  /** Resolves when the changes committed before have been delivered, or cannot be delivered now. */
  settled(): Promise<void>;
  /** Maximum delay of a response in milliseconds, default 50. */
  maxMs?: number;
}

/**
 * Delays the response to a change that ends access until the other services have closed the access paths, which takes
 * some milliseconds. After the maximum delay the response is sent nevertheless: the queue delivers the events too.
 */
export function answerWhenClosed(app: FastifyInstance, closing: Closing): void {
  const { ends } = closing;
  const requests = new WeakMap<FastifyRequest, EndingRequest>();
  // After the body was read: reading it leaves the context in which a request began.
  app.addHook('preHandler', (request, _reply, next) => {
    const ending = { endsAccess: false };
    requests.set(request, ending);
    ends.run(ending, next);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    if (!requests.get(request)?.endsAccess) return payload;
    if (prefersProcessing(request)) reply.raw.writeProcessing();
    await within(closing.maxMs ?? usualWaitMs, closing.settled()).catch(() => undefined);
    return payload;
  });
}

/** Such a client continues with its next request as soon as the change has taken effect (102, RFC 2518 §10.1). */
const prefersProcessing = ({ headers: { prefer } }: FastifyRequest): boolean => prefer === 'processing';
