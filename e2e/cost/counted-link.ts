import { once } from 'node:events';
import { type AddressInfo, createConnection, createServer, type Server, type Socket } from 'node:net';

/** Callback for each statement (its text) or Redis command (its name). */
export type OnAsked = (what: string) => void;

/** Reads the bytes that a client sends, in the chunks in which they arrive. */
type Reader = (piece: Buffer) => void;

/**
 * Transparent proxy between a process and a database that reports each request: PostgreSQL's protocol (Frontend/Backend
 * Protocol 3, "Message Formats") or Redis' (RESP, arrays of bulk strings).
 */
export class CountedLink {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #read: () => Reader;
  #targetPort = 0;

  private constructor(read: () => Reader) {
    this.#read = read;
    this.#server = createServer((client) => this.#connect(client));
  }

  /** @param read creates the reader of a connection */
  static async start(read: () => Reader): Promise<CountedLink> {
    const link = new CountedLink(read);
    link.#server.listen(0, '127.0.0.1');
    await once(link.#server, 'listening');
    return link;
  }

  /** Returns the address of this proxy in place of that of a local database. */
  insteadOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    this.#targetPort = Number(url.port);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #connect(client: Socket): void {
    const upstream = createConnection(this.#targetPort, '127.0.0.1');
    client.on('data', this.#read());
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.pipe(upstream);
    upstream.pipe(client);
  }
}

/** Reads one complete message. @returns its length, or undefined if it is incomplete */
type Take = (buffer: Buffer) => number | undefined;

function whole(take: Take): Reader {
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    rest = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (let length = take(rest); length !== undefined; length = take(rest)) rest = rest.subarray(length);
  };
}

const zeroTerminated = (buffer: Buffer, from: number): string =>
  buffer.toString('utf8', from, buffer.indexOf(0, from));

/** Reports the text of each executed statement. */
export function postgresReader(onStatement: OnAsked): Reader {
  const texts = new Map<string, string>();
  let begun = false;
  let bound = '';
  return whole((buffer) => {
    // The startup message has no type byte.
    const typed = begun ? 1 : 0;
    if (buffer.length < typed + 4) return undefined;
    const length = typed + buffer.readInt32BE(typed);
    if (buffer.length < length) return undefined;
    const type = begun ? String.fromCharCode(buffer[0] ?? 0) : 'startup';
    begun = true;
    const body = 5;
    if (type === 'P') {
      const name = zeroTerminated(buffer, body);
      texts.set(name, zeroTerminated(buffer, body + Buffer.byteLength(name) + 1));
    } else if (type === 'B') {
      const portal = zeroTerminated(buffer, body);
      bound = texts.get(zeroTerminated(buffer, body + Buffer.byteLength(portal) + 1)) ?? 'unknown';
    } else if (type === 'E') onStatement(bound);
    else if (type === 'Q') onStatement(zeroTerminated(buffer, body));
    return length;
  });
}

/** Reports the name of each command. */
export function redisReader(onCommand: OnAsked): Reader {
  return whole((buffer) => {
    const lineFrom = (from: number): [number, number] | undefined => {
      const end = buffer.indexOf('\r\n', from);
      return end < 0 ? undefined : [Number(buffer.toString('latin1', from + 1, end)), end + 2];
    };
    const head = lineFrom(0);
    if (head === undefined) return undefined;
    let [words, at] = head;
    let name: string | undefined;
    for (; words > 0; words -= 1) {
      const word = lineFrom(at);
      if (word === undefined || buffer.length < word[1] + word[0] + 2) return undefined;
      name ??= buffer.toString('latin1', word[1], word[1] + word[0]);
      at = word[1] + word[0] + 2;
    }
    onCommand((name ?? '').toUpperCase());
    return at;
  });
}
