import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { Gauge, type Registry } from 'prom-client';

/** A server whose certificate is looked at. */
interface Server {
  host: string;
  port: number;
  /** The name that it is asked for; none when its address is a number. */
  name: string;
  /** PostgreSQL is asked for TLS first (its protocol's SSLRequest). */
  asked: boolean;
}

const lookEveryMs = 3_600_000;
/** After a look in vain. */
const lookAgainMs = 60_000;
/** While one ends soon, or has ended: whoever has renewed it wants to see that. */
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

/** The same address once for each of its hosts. */
function addressesIn(address: string): URL[] {
  const [, before = '', hosts = '', after = ''] =
    several.exec(address.replace(/^postgresql:/, 'postgres:')) ?? [];
  return hosts
    .split(',')
    .map((host) => `${before}${host}${after}`)
    .flatMap((one) => (URL.canParse(one) ? [new URL(one)] : []));
}

/** Where an address leads by TLS: to nobody when it isn't TLS that is spoken there. */
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

/** Files that an address names and that this process reads once, at its start: until when they are good, in ms since the epoch. */
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
      // Whoever connects with it says what is wrong with it.
      return [];
    }
  };
  // Of its own the first is the one that is shown; of authorities any may be the one that counts.
  const [shown] = endsIn(['sslcert', 'cert']);
  const authorities = endsIn(['sslrootcert', 'ca']);
  return [
    ...(shown === undefined ? [] : [[`${of} client`, shown] as [string, number]]),
    ...(authorities.length === 0 ? [] : [[`${of} authority`, Math.max(...authorities)] as [string, number]]),
  ];
}

/** When the certificate that a server shows ends, in ms since the epoch, whether it is valid or not. */
function endOf(server: Server): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const socket = connect(server.port, server.host);
  const give = (): void => {
    const tls: TLSSocket = connectTls({
      socket,
      servername: server.name,
      // It is looked at, and nothing is said to it.
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
  // Whoever hangs up without a word makes no error.
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
 * The certificates of what this process and its clients connect to, by what they are of: how long each is still valid; of several servers
 * the one whose ends first. And those that this process itself connects with.
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

  /** Seconds until each ends, below 0 once it has; looked at an hour ago at most, and a moment ago when that is soon. */
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
