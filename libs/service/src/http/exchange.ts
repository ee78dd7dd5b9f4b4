import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { continuedTraceparent, tracingEnabled } from '../tracing/tracing.ts';

/** A request and its response as objects of Node.js, with data that this process adds to each. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Client address, as reported by trusted proxies. */
  readonly address: string;
  /** Alternating names and values of the headers of every response of this process. */
  readonly headers: readonly string[];
  /** Traceparent for outgoing calls if this process records no spans. */
  readonly traceparent: string | undefined;
}

/** Returns the traceparent of a request for outgoing calls if this process records no spans. */
export function continuedBy({ headers: { traceparent } }: IncomingMessage): string | undefined {
  if (tracingEnabled()) return undefined;
  return continuedTraceparent(Array.isArray(traceparent) ? traceparent[0] : traceparent);
}

/** Takes a routed request from the router. Its earlier hooks have run, and its response hook will. */
export function takeOver(request: FastifyRequest, reply: FastifyReply): Exchange {
  const headers: string[] = [];
  const given = reply.getHeaders();
  for (const name in given) headers.push(name, String(given[name]));
  reply.hijack();
  return {
    request: request.raw,
    response: reply.raw,
    requestId: request.id,
    address: request.ip,
    headers,
    traceparent: continuedBy(request.raw),
  };
}
