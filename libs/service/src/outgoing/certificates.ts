import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Gauge, type Registry } from 'prom-client';

/** A server whose certificate is checked. */
interface Server {
  host: string;
  port: number;
  /** Server name (SNI). Undefined for an IP address. */
  name: string;
  /** PostgreSQL negotiates TLS first (SSLRequest of its protocol). */
  asked: boolean;
}

const lookEveryMs = 3_600_000;
/** Interval after a failed check. */
const lookAgainMs = 60_000;
/** Interval while a certificate expires soon or has expired, so that a renewal is visible quickly. */
const lookSoonMs = 5_000;
const soonMs = 15 * 86_400_000;
const answerMs = 2_000;

const ports: Readonly<Record<string, number>> = {
  'https:': 443,
  'rediss:': 6379,
  'rediss+sentinel:': 26379,
  'rediss+cluster:': 6379,
  'postgres:': 5432,
};

const several = /^([a-z+]+:\/\/(?:[^@/]*@)?)([^/?#]+)(.*)$/s;

/** Returns one URL for each host of an address. */
function addressesIn(address: string): URL[] {
  const [, before = '', hosts = '', after = ''] =
    several.exec(address.replace(/^postgresql:/, 'postgres:')) ?? [];
  return hosts
    .split(',')
    .map((host) => `${before}${host}${after}`)
    .flatMap((one) => (URL.canParse(one) ? [new URL(one)] : []));
}

/** Returns the servers of an address, or none if it does not use TLS. */
const serversAt = (address: string): Server[] =>
  addressesIn(address).flatMap(({ protocol, hostname, port, searchParams }) => {
    const isTls =
      protocol === 'postgres:'
        ? !['', 'disable', 'allow'].includes(searchParams.get('sslmode') ?? '')
        : protocol in ports;
    if (!isTls) return [];
    const host = hostname.replace(/^\[|\]$/g, '');
    const name = searchParams.get('servername') ?? (/^[\d.]+$|:/.test(host) ? '' : host);
    return [{ host, port: Number(port) || (ports[protocol] ?? 443), name, asked: protocol === 'postgres:' }];
  });

/**
 * Returns the expiry, in ms since the epoch, of certificate files in an address. The process reads them once,
 * at its start.
 */
function endsOfFiles(of: string, address: string): [of: string, end: number][] {
  const parameters = addressesIn(address)[0]?.searchParams;
  const endsIn = (names: readonly string[]): number[] => {
    const path = names.map((name) => parameters?.get(name)).find((value) => typeof value === 'string');
    if (path === undefined || path === null || path === 'system') return [];
    try {
      const found = readFileSync(path, 'utf8').match(
        /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g,
      );
      return (found ?? []).map((pem) => new X509Certificate(pem).validToDate.getTime());
    } catch {
      // The connection itself reports the problem with the file.
      return [];
    }
  };
  // Of its own certificates the first is the one presented; of authorities any may be the relevant one.
  const [shown] = endsIn(['sslcert', 'cert']);
  const authorities = endsIn(['sslrootcert', 'ca']);
  return [
    ...(shown === undefined ? [] : [[`${of} client`, shown] as [string, number]]),
    ...(authorities.length === 0 ? [] : [[`${of} authority`, Math.max(...authorities)] as [string, number]]),
  ];
}

/** Returns the expiry of a server's certificate in ms since the epoch, whether or not it is valid. */
function endOf(server: Server): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(server.port, server.host);
  const give = (): void => {
    const tls: TLSSocket = connectTls({
      socket,
      servername: server.name,
      // The certificate is only read; no data is sent.
      rejectUnauthorized: false,
    });
    tls.on('error', reject);
    tls.once('secureConnect', () => {
      resolve(Date.parse(tls.getPeerCertificate().valid_to));
      tls.destroy();
    });
  };
  const patience = setTimeout(() => reject(new Error('no answer in time')), answerMs);
  socket.on('error', reject);
  // A connection closed without TLS raises no error event.
  socket.on('close', () => reject(new Error('no certificate')));
  if (server.asked) askForTls(socket, give, reject);
  else socket.once('connect', give);
  return promise.finally(() => {
    clearTimeout(patience);
    socket.destroy();
  });
}

function askForTls(socket: Socket, give: () => void, refuse: (error: Error) => void): void {
  socket.once('connect', () => socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])));
  socket.once('data', (answer: Buffer) =>
    answer.toString('latin1') === 'S' ? give() : refuse(new Error('no TLS there')),
  );
}

/**
 * Remaining validity of certificates: of the servers that this process and its clients connect to (for
 * several servers, the earliest expiry), and of its client certificates.
 */
export class Certificates {
  readonly #servers: readonly { of: string; server: Server }[];
  readonly #held: readonly (readonly [of: string, end: number])[];
  readonly #seen = new Map<Server, { lookedAt: number; end: number | undefined }>();
  readonly #clock: () => number;

  constructor(addresses: Readonly<Record<string, string | undefined>>, clock: () => number = Date.now) {
    this.#clock = clock;
    const given = Object.entries(addresses).flatMap(([of, address]) =>
      address === undefined ? [] : [{ of, address }],
    );
    this.#servers = given.flatMap(({ of, address }) => serversAt(address).map((server) => ({ of, server })));
    this.#held = given.flatMap(({ of, address }) => endsOfFiles(of, address));
  }

  /**
   * Returns the seconds until each expires, negative after it; at most an hour old, or seconds old if the
   * expiry is soon.
   */
  async remaining(): Promise<ReadonlyMap<string, number>> {
    const now = this.#clock();
    const found = await Promise.all(
      this.#servers.map(async ({ of, server }) => [of, await this.#look(server, now)] as const),
    );
    const remaining = new Map<string, number>();
    for (const [of, end] of [...found, ...this.#held]) {
      if (end !== undefined)
        remaining.set(of, Math.min(remaining.get(of) ?? Number.POSITIVE_INFINITY, (end - now) / 1000));
    }
    return remaining;
  }

  async #look(server: Server, now: number): Promise<number | undefined> {
    const seen = this.#seen.get(server);
    if (seen && now - seen.lookedAt < goodFor(seen.end, now)) return seen.end;
    const end = await endOf(server).catch(() => seen?.end);
    this.#seen.set(server, { lookedAt: now, end });
    return end;
  }
}

function goodFor(end: number | undefined, now: number): number {
  if (end === undefined) return lookAgainMs;
  return end - now < soonMs ? lookSoonMs : lookEveryMs;
}

export function measureCertificates(metrics: Registry, certificates: Certificates): void {
  const gauge = new Gauge({
    name: 'certificate_remaining_seconds',
    help: 'Seconds until the earliest expiry of a TLS certificate presented by a server to which this process or its clients connect',
    labelNames: ['of'] as const,
    registers: [metrics],
    async collect() {
      for (const [of, seconds] of await certificates.remaining()) gauge.set({ of }, seconds);
    },
  });
}
