import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { AccessError, isPublicTenant } from '@ostiary/access';
import { statusOf, TooManyRequests, wasForwarded } from '@ostiary/service';
import { handleProtocols, type Server } from 'graphql-ws';
import { type WebSocket, WebSocketServer } from 'ws';
import type { UpgradeOrigin, UpgradeRefusal } from '../../edge/index.ts';
import type { Connections } from './connections.ts';
import { protocolServer, type SocketConnection } from './socket-protocol.ts';
import type { Presented } from './token-authentication.ts';

/** Maximum size of a message in bytes, as for operations sent with POST. */
const messageLimit = 262_144;
/** Interval in milliseconds between pings. A client that has not answered one by the next is disconnected. */
const pingEveryMs = 15_000;
/** The address for all tenants, and the address for tokens of one tenant. */
const addressPattern = /^(?:\/t\/([^/]+))?\/graphql$/;

/**
 * WebSockets with the subprotocol graphql-transport-ws, at /graphql, and at /t/{tenant}/graphql for tokens of that
 * tenant.
 */
export class WebSockets {
  readonly #connections: Connections;
  readonly #protocol: Server<SocketConnection>;
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: messageLimit,
    perMessageDeflate: false,
    clientTracking: true,
    handleProtocols: (offered) => handleProtocols(offered),
  });
  /** Sockets that have answered the last ping. */
  readonly #answered = new WeakSet<WebSocket>();
  readonly #pinging: NodeJS.Timeout;

  constructor(connections: Connections) {
    this.#connections = connections;
    this.#protocol = protocolServer(connections);
    this.#pinging = setInterval(() => this.#ping(), pingEveryMs).unref();
  }

  /** Accepts an upgrade request, or returns the status and headers with which it is rejected. */
  async upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    { requestId, address }: UpgradeOrigin,
  ): Promise<UpgradeRefusal | undefined> {
    const { limits, networks, origins } = this.#connections;
    const [where, query = ''] = (request.url ?? '').split('?', 2);
    const [found, addressed] = addressPattern.exec(where ?? '') ?? [];
    if (found === undefined || (addressed !== undefined && !isPublicTenant(addressed)))
      return { status: 404 };
    const leave = networks.take(address);
    if (!leave) return { status: 429, headers: { 'retry-after': '10' } };
    socket.once('close', leave);
    if (this.#sockets.clients.size >= limits.subscriptions)
      return {
        status: 503,
        headers: { 'retry-after': '5' },
        cause: new Error(`The process has ${limits.subscriptions} live connections, its maximum.`),
      };
    const { origin } = request.headers;
    if (!(await origins.mayConnect(origin, addressed))) return { status: 403 };
    // Addresses are written to logs (RFC 6750 §2.3).
    if (new URLSearchParams(query).has('access_token')) return { status: 400 };
    const presented = await this.#presented(request, addressed, address);
    if (presented !== undefined && 'status' in presented) return presented;
    this.#sockets.handleUpgrade(request, socket, head, (opening) =>
      this.#opened(opening, {
        socket: opening,
        requestId,
        address,
        outside: wasForwarded(request),
        origin,
        addressed,
        presented,
      }),
    );
    return undefined;
  }

  close(): void {
    clearInterval(this.#pinging);
    for (const socket of this.#sockets.clients) {
      socket.close(1012, 'Stopping');
      setTimeout(() => socket.terminate(), 500).unref();
    }
  }

  /** Returns the verified token of the Authorization header; undefined when there is none. */
  async #presented(
    request: IncomingMessage,
    addressed: string | undefined,
    address: string,
  ): Promise<SocketConnection['presented'] | UpgradeRefusal> {
    const { authentication, origins } = this.#connections;
    const { authorization, dpop, origin } = request.headers;
    if (authorization === undefined) return undefined;
    let nonce: string | undefined;
    const by: Presented = {
      authorization,
      addressed,
      address,
      outside: wasForwarded(request),
      proof: typeof dpop === 'string' ? dpop : undefined,
      offerNonce: (offered) => {
        nonce = offered;
      },
    };
    try {
      const principal = await authentication.authenticate(by);
      return (await origins.mayConnect(origin, principal.tenant)) ? { by, principal } : { status: 403 };
    } catch (error) {
      if (error instanceof AccessError) {
        const challenge = authentication.challengeFor(error, addressed);
        return {
          status: error.statusCode,
          headers: { ...challenge, ...(nonce === undefined ? {} : { 'dpop-nonce': nonce }) },
        };
      }
      const retryAfter = error instanceof TooManyRequests ? error.retryAfter : 1;
      return { status: statusOf(error), headers: { 'retry-after': String(retryAfter) }, cause: error };
    }
  }

  #ping(): void {
    for (const socket of this.#sockets.clients) {
      if (this.#answered.delete(socket)) socket.ping();
      else socket.terminate();
    }
  }

  #opened(socket: WebSocket, connection: SocketConnection): void {
    const { log, limits, hub } = this.#connections;
    const { requestId } = connection;
    this.#answered.add(socket);
    socket.on('pong', () => this.#answered.add(socket));
    socket.on('error', (error) => {
      log.debug({ event: 'websocket.failed', requestId, err: error }, 'WebSocket connection failed');
      socket.terminate();
    });
    const closed = this.#protocol.opened(
      {
        protocol: socket.protocol,
        // Resolves when the message has left this process: the next event is resolved after that.
        send: (text) =>
          new Promise((resolve) => {
            if (socket.readyState !== socket.OPEN) resolve();
            else socket.send(text, () => resolve());
          }),
        close: (code, reason) => socket.close(code, reason),
        onMessage: (take) => {
          socket.on('message', (message) => {
            // Responses to messages would fill the memory when the client does not read them. The hub limits waiting
            // events.
            if (socket.bufferedAmount > limits.waitingBytes) return socket.terminate();
            take(String(message)).catch((error: unknown) => {
              log.debug(
                { event: 'websocket.message_rejected', requestId, err: error },
                'WebSocket message rejected',
              );
              socket.close(4400, 'Bad request');
            });
          });
        },
      },
      connection,
    );
    socket.once('close', (code, reason) => {
      if (connection.caller) hub.leave(connection.caller);
      void closed(code, String(reason));
    });
  }
}
