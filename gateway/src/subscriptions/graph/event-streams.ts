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
export class EventStreams {
  readonly #connections: Connections;
  readonly #handler: Handler<Connection, undefined>;

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#handler = createHandler<Connection, undefined>({
      // Streams that several requests share would need to be found from other processes too; they aren't offered.
      authenticate: () => null as unknown as undefined,
      onSubscribe: (request, params) => begin(connections, request.raw, params) as never,
    });
  }

  /** Answers a request for an event stream; false when the request isn't one. */
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

  /** The caller, holding a place of its network; undefined when the request was answered with a refusal. */
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

  /** False when the request was answered with a refusal. */
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
      // Proxies that gather responses before they pass them on would make events late.
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
    // In the stream, as the protocol has it for who accepts nothing else.
    if (error instanceof InvalidOperation) return { data: undefined, errors: error.errors };
    if (error instanceof GraphQLError) return { data: undefined, errors: [error] };
    throw error;
  }
}

/** Whether events are asked for: by nothing else in `Accept`, or by the operation when the client takes either. */
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
    // What it is instead, others say.
    return false;
  }
}
