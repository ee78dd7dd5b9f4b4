import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { answer, badRequest, forbidden, type TenantParams, unauthenticated } from '@ostiary/graph';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, getOperationAST, OperationTypeNode, parse } from 'graphql';
import { createHandler, type RequestParams } from 'graphql-sse';
import { type Ending, failure } from '../graph/ending.ts';
import type { Caller } from '../graph/hub.ts';
import { InvalidOperation } from '../graph/operation.ts';
import type { Live } from './live.ts';

/** How long a client may leave what was sent to it unread, in ms. */
const stalledMs = 30_000;

/** What a request brings along to the protocol's handler. */
interface Connection {
  caller: Caller;
  lastEventId: string | undefined;
  drained: (handedOut: number) => Promise<void> | undefined;
}

/**
 * Server-sent events, one operation per request (the protocol's "distinct connections mode"): POST with the header
 * `Accept: text/event-stream`. `Last-Event-ID` goes on where a connection broke.
 */
export function eventStreams(live: Live) {
  const handler = createHandler<Connection, undefined>({
    // Streams that several requests share would need to be found from other processes too; they aren't offered.
    authenticate: () => null as unknown as undefined,
    onSubscribe: (request, params) => begin(live, request.raw, params) as never,
  });

  /** Answers a request for an event stream; false when the request isn't one. */
  return async function serve(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (!wantsEvents(request, live)) return false;
    const { principal, headers } = request;
    if (!principal) {
      live.challenge(reply, (request.params as TenantParams).tenant);
      await answer(reply, 401, unauthenticated());
      return true;
    }
    const { origin } = headers;
    const isCrossSite = headers['sec-fetch-site'] === 'cross-site';
    if (isCrossSite && !(origin && (await live.crossOrigin.isRegistered(origin, principal.tenant)))) {
      await answer(reply, 403, forbidden());
      return true;
    }
    const authorization = headers.authorization ?? '';
    const token = authorization.replace(/^\S+ +/, '');
    if (authorization === '') {
      await answer(reply, 400, badRequest('Send the access token in the Authorization header.'));
      return true;
    }
    const leave = live.places.take(request.ip);
    if (!leave) {
      const tooMany = failure('TOO_MANY_CONNECTIONS', 'This network has too many live connections.');
      await answer(reply.header('retry-after', '10'), 429, tooMany);
      return true;
    }
    reply.raw.once('close', leave);
    const stream = new EventStream(reply.raw);
    const caller: Caller = {
      transport: 'sse',
      principal,
      token,
      authorization,
      requestId: request.id,
      subscriptions: new Set(),
      close: (ending) => stream.close(ending),
      buffered: () => reply.raw.writableLength,
    };
    try {
      await live.admit(caller);
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const busy = error.extensions.code === 'TOO_MANY_CONNECTIONS';
      await answer(reply.header('retry-after', busy ? '10' : '1'), busy ? 429 : 503, error);
      return true;
    }
    try {
      const last = headers['last-event-id'];
      const connection: Connection = {
        caller,
        lastEventId: typeof last === 'string' && last !== '' ? last : undefined,
        drained: (handedOut) => stream.drained(handedOut),
      };
      const [body, init] = await handler({
        method: 'POST',
        url: '/graphql',
        headers: {
          get: (name) => (name === 'accept' ? 'text/event-stream' : (headers[name] as string | undefined)),
        },
        body: request.body as Record<string, unknown>,
        raw: connection,
        context: undefined,
      });
      if (body === null || typeof body === 'string') {
        await reply
          .code(init.status)
          .headers(init.headers ?? {})
          .send(body ?? '');
        return true;
      }
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        // Proxies that gather responses before they pass them on would make events late.
        'x-accel-buffering': 'no',
      });
      await stream.run(body, () => live.hub.mark(caller));
    } finally {
      live.hub.leave(caller);
    }
    return true;
  };
}

function begin(live: Live, connection: Connection, params: RequestParams): unknown {
  try {
    const operation = live.operation(params);
    return live.hub.subscribe(connection.caller, operation, {
      lastEventId: live.lastEventId(params.extensions) ?? connection.lastEventId,
      drained: connection.drained,
    });
  } catch (error) {
    // In the stream, as the protocol has it for who accepts nothing else.
    if (error instanceof InvalidOperation) return { data: undefined, errors: error.errors };
    if (error instanceof GraphQLError) return { data: undefined, errors: [error] };
    throw error;
  }
}

/** Whether events are asked for: by nothing else in `Accept`, or by the operation when the client takes either. */
function wantsEvents(request: FastifyRequest, live: Live): boolean {
  const accepted = (request.headers.accept ?? '').toLowerCase();
  if (request.method !== 'POST' || !accepted.includes('text/event-stream')) return false;
  const others = accepted.split(',').some((type) => !type.trim().startsWith('text/event-stream'));
  if (!others) return true;
  const { query, operationName } = (request.body ?? {}) as { query?: unknown; operationName?: unknown };
  if (typeof query !== 'string' || !/\bsubscription\b/.test(query)) return false;
  try {
    const document = parse(query, { maxTokens: live.schema.limits.tokens, noLocation: true });
    const name = typeof operationName === 'string' ? operationName : null;
    return getOperationAST(document, name)?.operation === OperationTypeNode.SUBSCRIPTION;
  } catch {
    // What it is instead, others say.
    return false;
  }
}

/** Writes what the protocol's handler yields, no faster than it is read, with the ids that clients go on after. */
class EventStream {
  readonly #response: ServerResponse;
  #written = 0;
  #flushed: (() => void) | undefined;
  #body: AsyncGenerator<string, void, undefined> | undefined;
  #ending: Ending | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  /** Undefined when as many results as were handed out have been written. */
  drained(handedOut: number): Promise<void> | undefined {
    if (this.#written >= handedOut && !this.#response.writableNeedDrain) return undefined;
    return new Promise((resolve) => {
      this.#flushed = resolve;
    });
  }

  async run(body: AsyncGenerator<string, void, undefined>, mark: () => string | undefined): Promise<void> {
    this.#body = body;
    const response = this.#response;
    const gone = (): void => void body.return(undefined);
    response.once('close', gone);
    if (response.destroyed) gone();
    try {
      for await (const chunk of body) {
        if (response.destroyed) break;
        const isNext = chunk.startsWith('event: next');
        const id = isNext ? eventId(chunk) : chunk === ':\n\n' ? mark() : undefined;
        const text = id === undefined ? chunk : isNext ? `id: ${id}\n${chunk}` : `:\nid: ${id}\n\n`;
        if (!response.write(text)) await this.#drain();
        if (isNext) this.#written += 1;
        this.#flushed?.();
      }
    } finally {
      response.off('close', gone);
      this.#flushed?.();
      if (!response.destroyed) response.end();
    }
  }

  /** The subscription has been told why; what a client leaves unread must not keep the connection open. */
  close(ending: Ending): void {
    this.#ending = ending;
    if (this.#response.writableNeedDrain || this.#body === undefined) this.#response.destroy();
    else setTimeout(() => this.#response.destroy(), 1_000).unref();
  }

  async #drain(): Promise<void> {
    if (this.#ending) return;
    const timer = setTimeout(() => this.#response.destroy(), stalledMs);
    await Promise.race([once(this.#response, 'drain'), once(this.#response, 'close')]).catch(() => undefined);
    clearTimeout(timer);
  }
}

/** The id that the result ends with; it is the last thing in it. */
function eventId(chunk: string): string | undefined {
  return /"extensions":\{"eventId":"([\d-]+)"\}\}\n\n$/.exec(chunk)?.[1];
}
