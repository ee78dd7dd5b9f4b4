import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { AccessError, type Principal } from '@ostiary/access';
import { ambiguityOf, statusOf, TooManyRequests } from '@ostiary/service';
import { GraphQLError } from 'graphql';
import { type Context, handleProtocols, makeServer, type Server } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import { isPublicTenant } from '../../edge/domain/route.ts';
import { type Ending, failure } from '../graph/ending.ts';
import type { Caller } from '../graph/hub.ts';
import { InvalidOperation } from '../graph/operation.ts';
import type { Live, Presented } from './live.ts';

/** Largest message in bytes, as for operations sent with POST. */
const messageLimit = 262_144;
/** Milliseconds between pings; who hasn't answered one by the next is gone. */
const pingEveryMs = 15_000;
/** Milliseconds that a connection which is being ended has to take its last messages. */
const lastWordsMs = 50;
/** Milliseconds after the acknowledgement in which operations go on where the connection before had got to. */
const resumingMs = 30_000;
/** As for requests: for everybody, and for tokens of one tenant. */
const addressPattern = /^(?:\/t\/([^/]+))?\/graphql$/;

interface Extra {
  readonly socket: WebSocket;
  readonly requestId: string;
  readonly address: string;
  /** The origin of the page that opened it, if it was a page. */
  readonly origin: string | undefined;
  /** The tenant whose own address was asked. */
  readonly addressed: string | undefined;
  /** From the Authorization header of the upgrade, already verified. */
  readonly presented: { by: Presented; principal: Principal } | undefined;
  caller?: Caller;
  /** Where the connection before had got to, and until when (Unix ms) operations are taken for those that were on it. */
  resume?: { lastEventId: string | undefined; until: number };
}

type ConnectionContext = Context<Record<string, unknown>, Extra>;

/** Where an upgrade request comes from. */
export interface UpgradeOrigin {
  requestId: string;
  address: string;
}

export interface SocketServer {
  /** Takes over an upgrade request. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, from: UpgradeOrigin): Promise<void>;
  close(): void;
}

/** WebSockets that speak graphql-transport-ws, at /graphql, and at /t/{tenant}/graphql for tokens of that tenant. */
export function webSockets(live: Live): SocketServer {
  const protocol = protocolServer(live);
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageLimit,
    perMessageDeflate: false,
    clientTracking: true,
    handleProtocols: (offered) => handleProtocols(offered),
  });
  const answered = new WeakSet<WebSocket>();
  const pinging = setInterval(() => {
    for (const socket of sockets.clients) {
      if (answered.delete(socket)) socket.ping();
      else socket.terminate();
    }
  }, pingEveryMs).unref();

  const opened = (socket: WebSocket, extra: Extra): void => {
    answered.add(socket);
    socket.on('pong', () => answered.add(socket));
    socket.on('error', (error) => {
      live.log.debug({ requestId: extra.requestId, err: error }, 'a WebSocket failed');
      socket.terminate();
    });
    const closed = protocol.opened(
      {
        protocol: socket.protocol,
        // Resolves when the message has left this process: the next event is put together after that.
        send: (text) =>
          new Promise((resolve) => {
            if (socket.readyState !== socket.OPEN) resolve();
            else socket.send(text, () => resolve());
          }),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) => {
          socket.on('message', (message) => {
            // Answers to what a client asks would fill the memory of who doesn't read them; events are looked after by the hub.
            if (socket.bufferedAmount > live.limits.waitingBytes) return socket.terminate();
            take(String(message)).catch((error: unknown) => {
              live.log.debug({ requestId: extra.requestId, err: error }, 'a WebSocket message was refused');
              socket.close(4400, 'Bad request');
            });
          });
        },
      },
      extra,
    );
    socket.once('close', (code, reason) => {
      if (extra.caller) live.hub.leave(extra.caller);
      void closed(code, String(reason));
    });
  };

  return {
    async upgrade(request, socket, head, { requestId, address }) {
      socket.on('error', () => socket.destroy());
      const refuse = (status: number, headers: Record<string, string> = {}): void => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
        socket.end(
          `HTTP/1.1 ${status} Refused\r\nconnection: close\r\ncontent-length: 0\r\nx-request-id: ${requestId}\r\n${lines.join('')}\r\n`,
        );
      };
      if (ambiguityOf(request) !== undefined) return refuse(400);
      const [where, query = ''] = (request.url ?? '').split('?', 2);
      const [found, addressed] = addressPattern.exec(where ?? '') ?? [];
      if (found === undefined || (addressed !== undefined && !isPublicTenant(addressed))) return refuse(404);
      if (sockets.clients.size >= live.limits.subscriptions) return refuse(503, { 'retry-after': '5' });
      const leave = live.places.take(address);
      if (!leave) return refuse(429, { 'retry-after': '10' });
      socket.once('close', leave);
      const { origin } = request.headers;
      if (!(await live.crossOrigin.mayConnect(origin, addressed))) return refuse(403);
      // Addresses end up in logs (RFC 6750 section 2.3).
      if (new URLSearchParams(query).has('access_token')) return refuse(400);
      let presented: Extra['presented'];
      let nonce: string | undefined;
      try {
        const { authorization, dpop } = request.headers;
        if (authorization !== undefined) {
          const by: Presented = {
            authorization,
            addressed,
            address,
            proof: typeof dpop === 'string' ? dpop : undefined,
            offerNonce: (offered) => {
              nonce = offered;
            },
          };
          presented = { by, principal: await live.authenticate(by) };
        }
        if (presented && !(await live.crossOrigin.mayConnect(origin, presented.principal.tenant)))
          return refuse(403);
      } catch (error) {
        if (error instanceof AccessError) {
          return refuse(error.statusCode, {
            ...live.challengeFor(error, addressed),
            ...(nonce === undefined ? {} : { 'dpop-nonce': nonce }),
          });
        }
        const retryAfter = error instanceof TooManyRequests ? error.retryAfter : 1;
        return refuse(statusOf(error), { 'retry-after': String(retryAfter) });
      }
      sockets.handleUpgrade(request, socket, head, (opening) =>
        opened(opening, { socket: opening, requestId, address, origin, addressed, presented }),
      );
    },
    close() {
      clearInterval(pinging);
      for (const socket of sockets.clients) {
        socket.close(1012, 'Stopping');
        setTimeout(() => socket.terminate(), 500).unref();
      }
    },
  };
}

function protocolServer(live: Live): Server<Extra> {
  return makeServer<Record<string, unknown>, Extra>({
    connectionInitWaitTimeout: 5_000,
    onConnect: (context) => connect(live, context),
    onSubscribe: async (context, id, payload) => {
      const { caller, resume, address } = context.extra;
      if (!caller) return [failure('UNAUTHENTICATED', 'The connection has no access token.')];
      try {
        const sent = await live.admitted(payload, { principal: caller.principal, address });
        // Not wanted any more, or the connection is gone.
        if (!(id in context.subscriptions)) return [failure('CANCELLED', 'The subscription was cancelled.')];
        const operation = live.operation(sent);
        const resumed = resume && live.clock() < resume.until ? resume.lastEventId : undefined;
        const subscription = live.hub.subscribe(caller, operation, {
          lastEventId: live.lastEventId(payload.extensions) ?? resumed,
        });
        return {
          schema: live.schema.schema,
          document: operation.document,
          operationName: payload.operationName ?? null,
          contextValue: subscription,
        };
      } catch (error) {
        if (error instanceof InvalidOperation) return error.errors;
        if (error instanceof GraphQLError) return [error];
        live.log.error({ err: error, requestId: caller.requestId }, 'a subscription could not be opened');
        return [failure('INTERNAL_SERVER_ERROR', 'Something went wrong on our side.')];
      }
    },
    subscribe: (args) => args.contextValue as AsyncIterableIterator<never>,
    // Results are ready to be sent: errors in them are no GraphQLErrors any more.
    onNext: (_context, _id, _payload, _args, result) => result as never,
  });
}

/** The connection's first message: the token, unless it came with the upgrade, and where to go on. */
async function connect(live: Live, context: ConnectionContext): Promise<Record<string, unknown> | false> {
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
            proof: textOf(connectionParams, 'dpop', 'DPoP'),
          };
    if (!by) {
      socket.close(4401, 'An access token is required');
      return false;
    }
    const principal = parameter === undefined ? extra.presented?.principal : await live.authenticate(by);
    if (!principal || socket.readyState !== socket.OPEN) return false;
    // Another tenant's page got this far because it might have brought a token of its own.
    if (!(await live.crossOrigin.mayConnect(extra.origin, principal.tenant))) {
      socket.close(4403, 'Forbidden');
      return false;
    }
    const caller = callerOf(extra, by, principal);
    extra.caller = caller;
    await live.admit(caller);
    extra.resume = {
      lastEventId: textOf(connectionParams, 'lastEventId'),
      until: live.clock() + resumingMs,
    };
    if (socket.readyState !== socket.OPEN) {
      live.hub.leave(caller);
      return false;
    }
    return { eventId: live.hub.mark(caller) };
  } catch (error) {
    refuseConnection(socket, error);
    return false;
  }
}

function refuseConnection(socket: WebSocket, error: unknown): void {
  if (error instanceof AccessError) {
    // The nonce for the next proof is in every HTTP answer of this origin to a request with a bound token.
    const status = error.statusCode === 400 ? 4400 : error.statusCode === 403 ? 4403 : 4401;
    socket.close(status, error.error === 'use_dpop_nonce' ? 'use_dpop_nonce' : 'Unauthorized');
  } else if (error instanceof GraphQLError && error.extensions.code === 'TOO_MANY_CONNECTIONS') {
    socket.close(4013, 'Too many connections');
  } else {
    socket.close(1013, 'Try again later');
  }
}

function callerOf({ socket, requestId }: Extra, by: Presented, principal: Principal): Caller {
  const subscriptions: Caller['subscriptions'] = new Set();
  return {
    transport: 'websocket',
    principal,
    token: by.authorization.replace(/^\S+ +/, ''),
    authorization: by.authorization,
    requestId,
    subscriptions,
    buffered: () => socket.bufferedAmount,
    close(ending: Ending) {
      // What waits to be sent may be what the token no longer opens.
      if (socket.bufferedAmount > 0) return socket.terminate();
      const close = (): void => socket.close(ending.close, ending.message.slice(0, 120));
      if (subscriptions.size === 0) close();
      else setTimeout(close, lastWordsMs);
      setTimeout(() => socket.terminate(), 1_000).unref();
    },
  };
}

function textOf(from: Record<string, unknown> | undefined, ...names: string[]): string | undefined {
  for (const name of names) {
    const value = from && Object.hasOwn(from, name) ? from[name] : undefined;
    if (typeof value === 'string') return value;
  }
  return undefined;
}
