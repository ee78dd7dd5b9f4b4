import { AccessError, type Principal } from '@ostiary/access';
import { GraphQLError } from 'graphql';
import { type Context, makeServer, type Server } from 'graphql-ws';
import type { WebSocket } from 'ws';
import type { Connections } from './connections.ts';
import { type ConnectionEnding, failure } from './ending.ts';
import type { Caller } from './hub.ts';
import { InvalidOperation } from './operation.ts';
import type { Presented } from './token-authentication.ts';

/** Time in milliseconds in which a closing connection sends its last messages. */
const lastWordsMs = 50;
/**
 * Time in milliseconds after the acknowledgement in which operations resume from the previous connection's position.
 */
const resumingMs = 30_000;

/** One WebSocket, in the context of the protocol's hooks. */
export interface SocketConnection {
  readonly socket: WebSocket;
  readonly requestId: string;
  readonly address: string;
  /** Whether a proxy forwarded the request from outside. */
  readonly outside: boolean;
  /** Origin of the page that opened it; undefined for other programs. */
  readonly origin: string | undefined;
  /** The tenant of the requested address. */
  readonly addressed: string | undefined;
  /** From the Authorization header of the upgrade request, already verified. */
  readonly presented: { by: Presented; principal: Principal } | undefined;
  caller?: Caller;
  /** Position of the previous connection. Until `until` (Unix ms), new operations resume from it. */
  resume?: { lastEventId: string | undefined; until: number };
}

type ConnectionContext = Context<Record<string, unknown>, SocketConnection>;

/** The protocol graphql-transport-ws over the connections opened with it. */
export function protocolServer(connections: Connections): Server<SocketConnection> {
  return makeServer<Record<string, unknown>, SocketConnection>({
    connectionInitWaitTimeout: 5_000,
    onConnect: (context) => connect(connections, context),
    onSubscribe: async (context, id, payload) => {
      const { operations, hub, clock, log } = connections;
      const { caller, resume, address } = context.extra;
      if (!caller) return [failure('UNAUTHENTICATED', 'The connection has no access token.')];
      try {
        const sent = await operations.admitted(payload, { principal: caller.principal, address });
        // The subscription was cancelled, or the connection is closed.
        if (!(id in context.subscriptions)) return [failure('CANCELLED', 'The subscription was cancelled.')];
        const operation = operations.operation(sent);
        const resumed = resume && clock() < resume.until ? resume.lastEventId : undefined;
        const subscription = hub.subscribe(caller, operation, {
          lastEventId: operations.lastEventId(payload.extensions) ?? resumed,
        });
        return {
          schema: operations.schema.schema,
          document: operation.document,
          operationName: payload.operationName ?? null,
          contextValue: subscription,
        };
      } catch (error) {
        if (error instanceof InvalidOperation) return error.errors;
        if (error instanceof GraphQLError) return [error];
        log.error(
          { event: 'subscription.open_failed', err: error, requestId: caller.requestId },
          'Subscription could not be opened',
        );
        return [failure('INTERNAL_SERVER_ERROR', 'Something went wrong on our side.')];
      }
    },
    subscribe: (args) => args.contextValue as AsyncIterableIterator<never>,
    // Results are serialized already: their errors are not GraphQLErrors.
    onNext: (_context, _id, _payload, _args, result) => result as never,
  });
}

/**
 * Handles the connection's first message: the token, unless the upgrade request had it, and the position to resume
 * from.
 */
async function connect(
  { authentication, origins, hub, clock, admit }: Connections,
  context: ConnectionContext,
): Promise<Record<string, unknown> | false> {
  const { extra, connectionParams } = context;
  const { socket } = extra;
  const parameter = textOf(connectionParams, 'authorization', 'Authorization');
  if (parameter !== undefined && extra.presented !== undefined) {
    socket.close(4400, 'The access token was sent in more than one place');
    return false;
  }
  try {
    const by: Presented | undefined =
      parameter === undefined
        ? extra.presented?.by
        : {
            authorization: parameter,
            addressed: extra.addressed,
            address: extra.address,
            outside: extra.outside,
            proof: textOf(connectionParams, 'dpop', 'DPoP'),
          };
    if (!by) {
      socket.close(4401, 'An access token is required');
      return false;
    }
    const principal =
      parameter === undefined ? extra.presented?.principal : await authentication.authenticate(by);
    if (!principal || socket.readyState !== socket.OPEN) return false;
    // A page of another tenant was admitted before its token was known.
    if (!(await origins.mayConnect(extra.origin, principal.tenant))) {
      socket.close(4403, 'Forbidden');
      return false;
    }
    const caller = new SocketCaller(extra, by, principal);
    extra.caller = caller;
    await admit(caller);
    extra.resume = {
      lastEventId: textOf(connectionParams, 'lastEventId'),
      until: clock() + resumingMs,
    };
    if (socket.readyState !== socket.OPEN) {
      hub.leave(caller);
      return false;
    }
    return { eventId: hub.mark(caller) };
  } catch (error) {
    refuseConnection(socket, error);
    return false;
  }
}

function refuseConnection(socket: WebSocket, error: unknown): void {
  if (error instanceof AccessError) {
    // The nonce for the next proof is in every HTTP response of this origin to a request with a bound token.
    const status = error.statusCode === 400 ? 4400 : error.statusCode === 403 ? 4403 : 4401;
    socket.close(status, error.error === 'use_dpop_nonce' ? 'use_dpop_nonce' : 'Unauthorized');
  } else if (error instanceof GraphQLError && error.extensions.code === 'TOO_MANY_CONNECTIONS') {
    socket.close(4013, 'Too many connections');
  } else {
    socket.close(1013, 'Try again later');
  }
}

/** The client of a WebSocket. */
class SocketCaller implements Caller {
  readonly transport = 'websocket';
  principal: Principal;
  readonly token: string;
  readonly authorization: string;
  readonly requestId: string;
  readonly subscriptions: Caller['subscriptions'] = new Set();
  readonly #socket: WebSocket;

  constructor({ socket, requestId }: SocketConnection, by: Presented, principal: Principal) {
    this.principal = principal;
    this.token = by.authorization.replace(/^\S+ +/, '');
    this.authorization = by.authorization;
    this.requestId = requestId;
    this.#socket = socket;
  }

  buffered(): number {
    return this.#socket.bufferedAmount;
  }

  close(ending: ConnectionEnding): void {
    const socket = this.#socket;
    // The unsent data may be data that the token no longer permits.
    if (socket.bufferedAmount > 0) {
      socket.terminate();
      return;
    }
    const close = (): void => socket.close(ending.close, ending.message.slice(0, 120));
    if (this.subscriptions.size === 0) close();
    else setTimeout(close, lastWordsMs);
    setTimeout(() => socket.terminate(), 1_000).unref();
  }
}

function textOf(from: Record<string, unknown> | undefined, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = from && Object.hasOwn(from, name) ? from[name] : undefined;
    if (typeof value === 'string') return value;
  }
  return undefined;
}
