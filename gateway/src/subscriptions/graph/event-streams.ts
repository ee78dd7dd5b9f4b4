import {
  answer,
  badRequest,
  forbidden,
  parseDocument,
  type TenantParams,
  unauthenticated,
} from '@ostiary/graph';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, getOperationAST, OperationTypeNode } from 'graphql';
import { createHandler, type Handler, type RequestParams } from 'graphql-sse';
import type { Connections } from './connections.ts';
import { failure } from './ending.ts';
import { EventStream } from './event-stream.ts';
import type { Caller } from './hub.ts';
import { InvalidOperation } from './operation.ts';
import type { SubscribableOperations } from './subscribable-operations.ts';

/** Context of a request for the protocol's handler. */
interface Connection {
  caller: Caller;
  lastEventId: string | undefined;
  drained: (handedOut: number) => Promise<void> | undefined;
}

/**
 * Server-sent events, one operation per request (the protocol's "distinct connections mode"): POST with the header
 * `Accept: text/event-stream`. `Last-Event-ID` resumes a broken connection.
 */
export class EventStreams {
  readonly #connections: Connections;
  readonly #handler: Handler<Connection, undefined>;

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#handler = createHandler<Connection, undefined>({
      // The single connection mode is not supported: other processes would have to find the reserved stream.
      authenticate: () => null as unknown as undefined,
      onSubscribe: (request, params) => begin(connections, request.raw, params) as never,
    });
  }

  /** Answers a request for an event stream; returns false for any other request. */
  async serve(request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    if (!wantsEvents(request, this.#connections.operations)) return false;
    const stream = new EventStream(reply.raw);
    const caller = await this.#callerOf(request, reply, stream);
    if (!caller || !(await this.#isAdmitted(caller, reply))) return true;
    try {
      await this.#run(request, reply, { caller, stream });
    } finally {
      this.#connections.hub.leave(caller);
    }
    return true;
  }

  /**
   * Returns the caller, with a reserved connection of its network; undefined when the request was rejected with a
   * response.
   */
  async #callerOf(
    request: FastifyRequest,
    reply: FastifyReply,
    stream: EventStream,
  ): Promise<Caller | undefined> {
    const { authentication, origins, networks } = this.#connections;
    const { principal, headers } = request;
    if (!principal) {
      authentication.challenge(reply, (request.params as TenantParams).tenant);
      await answer(reply, 401, unauthenticated());
      return undefined;
    }
    const { origin } = headers;
    const isCrossSite = headers['sec-fetch-site'] === 'cross-site';
    if (isCrossSite && !(origin && (await origins.isRegistered(origin, principal.tenant)))) {
      await answer(reply, 403, forbidden());
      return undefined;
    }
    const authorization = headers.authorization ?? '';
    if (authorization === '') {
      await answer(reply, 400, badRequest('Send the access token in the Authorization header.'));
      return undefined;
    }
    const leave = networks.take(request.ip);
    if (!leave) {
      const tooMany = failure('TOO_MANY_CONNECTIONS', 'This network has too many live connections.');
      await answer(reply.header('retry-after', '10'), 429, tooMany);
      return undefined;
    }
    reply.raw.once('close', leave);
    return {
      transport: 'sse',
      principal,
      token: authorization.replace(/^\S+ +/, ''),
      authorization,
      requestId: request.id,
      subscriptions: new Set(),
      close: (ending) => stream.close(ending),
      buffered: () => reply.raw.writableLength,
    };
  }

  /** Returns false when the request was rejected with a response. */
  async #isAdmitted(caller: Caller, reply: FastifyReply): Promise<boolean> {
    try {
      await this.#connections.admit(caller);
      return true;
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      const busy = error.extensions.code === 'TOO_MANY_CONNECTIONS';
      await answer(reply.header('retry-after', busy ? '10' : '1'), busy ? 429 : 503, error);
      return false;
    }
  }

  async #run(
    { headers, body: sent }: FastifyRequest,
    reply: FastifyReply,
    { caller, stream }: { caller: Caller; stream: EventStream },
  ): Promise<void> {
    const last = headers['last-event-id'];
    const connection: Connection = {
      caller,
      lastEventId: typeof last === 'string' && last !== '' ? last : undefined,
      drained: (handedOut) => stream.drained(handedOut),
    };
    const [body, init] = await this.#handler({
      method: 'POST',
      url: '/graphql',
      headers: {
        get: (name) => (name === 'accept' ? 'text/event-stream' : (headers[name] as string | undefined)),
      },
      body: sent as Record<string, unknown>,
      raw: connection,
      context: undefined,
    });
    if (body === null || typeof body === 'string') {
      await reply
        .code(init.status)
        .headers(init.headers ?? {})
        .send(body ?? '');
      return;
    }
    reply.hijack();
    reply.raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // Buffering proxies would delay events.
      'x-accel-buffering': 'no',
    });
    await stream.run(body, () => this.#connections.hub.mark(caller));
  }
}

function begin({ operations, hub }: Connections, connection: Connection, params: RequestParams): unknown {
  try {
    const operation = operations.operation(params);
    return hub.subscribe(connection.caller, operation, {
      lastEventId: operations.lastEventId(params.extensions) ?? connection.lastEventId,
      drained: connection.drained,
    });
  } catch (error) {
    // Errors are sent in the stream, as the protocol requires for clients that accept no other media type.
    if (error instanceof InvalidOperation) return { data: undefined, errors: error.errors };
    if (error instanceof GraphQLError) return { data: undefined, errors: [error] };
    throw error;
  }
}

/** Reports whether the client requests events: it accepts nothing else, or accepts them and sends a subscription. */
function wantsEvents(request: FastifyRequest, operations: SubscribableOperations): boolean {
  const accepted = (request.headers.accept ?? '').toLowerCase();
  if (request.method !== 'POST' || !accepted.includes('text/event-stream')) return false;
  const others = accepted.split(',').some((type) => !type.trim().startsWith('text/event-stream'));
  if (!others) return true;
  const { query, operationName } = (request.body ?? {}) as { query?: unknown; operationName?: unknown };
  if (typeof query !== 'string' || !/\bsubscription\b/.test(query)) return false;
  try {
    const document = parseDocument(query, operations.schema.limits);
    const name = typeof operationName === 'string' ? operationName : null;
    return getOperationAST(document, name)?.operation === OperationTypeNode.SUBSCRIPTION;
  } catch {
    // The endpoint for other operations reports the error.
    return false;
  }
}
