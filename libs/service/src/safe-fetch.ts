import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { Client } from 'undici';

/** What this process may fetch at an address that somebody else wrote down. */
export interface OutgoingPolicy {
  /**
   * Loopback and private networks too; for development and closed networks. Link-local addresses and the clouds' metadata
   * services stay refused.
   */
  allowPrivate: boolean;
  /** Plain http too; never in production. */
  allowHttp: boolean;
  /** Names to addresses; the system's resolver unless a test has another. */
  resolve?: (host: string) => Promise<readonly string[]>;
}

export interface FetchOptions {
  /** What the Accept header says. */
  accept?: string;
  /** Bytes the body may have; 256 KiB unless said. */
  maxBytes?: number;
  /** Milliseconds for all of it, names and body included; 5,000 unless said. */
  timeoutMs?: number;
}

export interface FetchedDocument {
  body: Buffer;
  /** The media type without parameters, in lower case; empty when none was sent. */
  contentType: string;
  /** Seconds for which the answer says it is fresh (Cache-Control max-age); undefined when it doesn't say. */
  maxAge: number | undefined;
}

/** A document that was not fetched. The message is for logs and administrators; it holds no address of ours. */
export class OutgoingFetchError extends Error {
  /** refused: the address itself isn't allowed, asking again is useless. failed: no usable answer this time. */
  readonly kind: 'refused' | 'failed';

  constructor(kind: 'refused' | 'failed', message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OutgoingFetchError';
    this.kind = kind;
  }
}

/**
 * GETs a document from an address that somebody else wrote down (`jwks_uri`, a logo, a metadata document), without
 * becoming their way into our network: the name is resolved once, each of its addresses must be a public one, and the
 * connection goes to exactly the address that was checked. No redirects, no proxies, no cookies, no compression; the
 * time and the size are capped.
 * @throws OutgoingFetchError
 */
export type SafeFetch = (url: string, options?: FetchOptions) => Promise<FetchedDocument>;

const refused = (message: string): OutgoingFetchError => new OutgoingFetchError('refused', message);
const failed = (message: string, cause?: unknown): OutgoingFetchError =>
  new OutgoingFetchError('failed', message, { cause });

export function createSafeFetch(policy: OutgoingPolicy): SafeFetch {
  const resolve = policy.resolve ?? systemAddresses;
  return async (url, options = {}) => {
    const target = checkOutgoingUrl(url, policy);
    const signal = AbortSignal.timeout(options.timeoutMs ?? 5_000);
    const address = await within(signal, pinnedAddress(target, policy, resolve));
    return get(target, address, options, signal);
  };
}

/**
 * The parts of an address that can be judged without asking for it: scheme, no credentials, no literal private address.
 * @throws OutgoingFetchError refused
 */
export function checkOutgoingUrl(
  text: string,
  policy: Pick<OutgoingPolicy, 'allowHttp' | 'allowPrivate'>,
): URL {
  if (text.length > 2_048 || !URL.canParse(text)) throw refused('The address is not a URL.');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(policy.allowHttp && url.protocol === 'http:')) {
    throw refused('Only https addresses are fetched.');
  }
  if (url.username !== '' || url.password !== '') throw refused('The address must not hold credentials.');
  if (url.hash !== '') throw refused('The address must not have a fragment.');
  const literal = literalAddress(url);
  if (literal !== undefined && !isAllowed(literal, policy)) throw refused('The address is not a public one.');
  return url;
}

// The URL parser has already turned 0x7f.1, 2130706433 and their like into dotted quads.
function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}

/** Where clouds hand out credentials: in ranges that are private, and yet nobody's own network. */
const metadataServices: ReadonlySet<string> = new Set(['fd00:ec2::254', '100.100.100.200']);
const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);
// What isn't global unicast (RFC 4291 §2.4) may embed an IPv4 address: mapped, compatible, translated.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

function isAllowed(text: string, policy: Pick<OutgoingPolicy, 'allowPrivate'>): boolean {
  const address = ipaddr.process(text);
  const range = address.range();
  if (policy.allowPrivate && privateRanges.has(range)) return !metadataServices.has(address.toString());
  if (range !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

async function pinnedAddress(
  url: URL,
  policy: OutgoingPolicy,
  resolve: (host: string) => Promise<readonly string[]>,
): Promise<string> {
  const literal = literalAddress(url);
  if (literal !== undefined) return literal;
  const addresses = await resolve(url.hostname).catch((error: unknown) => {
    throw failed('The name has no address.', error);
  });
  const first = addresses[0];
  if (first === undefined) throw failed('The name has no address.');
  // One private address among public ones is an attempt, not a configuration.
  if (!addresses.every((address) => ipaddr.isValid(address) && isAllowed(address, policy))) {
    throw refused('The address is not a public one.');
  }
  return first;
}

const systemAddresses = async (host: string): Promise<string[]> =>
  (await systemLookup(host, { all: true })).map(({ address }) => address);

async function get(
  url: URL,
  address: string,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<FetchedDocument> {
  const client = new Client(url.origin, {
    connect: { lookup: answering(address), timeout: 3_000 },
    pipelining: 0,
    maxHeaderSize: 16_384,
  });
  try {
    const response = await client.request({
      method: 'GET',
      path: `${url.pathname}${url.search}`,
      headers: { accept: options.accept ?? '*/*', 'accept-encoding': 'identity', 'user-agent': 'Ostiary' },
      signal,
    });
    const header = (name: string): string => String(response.headers[name] ?? '');
    if (response.statusCode !== 200) throw failed(`The answer has status ${response.statusCode}.`);
    if (!/^(identity)?$/i.test(header('content-encoding'))) throw failed('The answer is compressed.');
    const limit = options.maxBytes ?? 262_144;
    if (Number(header('content-length')) > limit) throw failed('The answer is too large.');
    return {
      body: await limited(response.body, limit),
      contentType: (header('content-type').split(';')[0] ?? '').trim().toLowerCase(),
      maxAge: maxAgeOf(header('cache-control')),
    };
  } catch (error) {
    if (error instanceof OutgoingFetchError) throw error;
    throw failed(signal.aborted ? 'There was no answer in time.' : 'There was no answer.', error);
  } finally {
    // Also ends a body that was only read in part.
    await client.destroy().catch(() => undefined);
  }
}

/** A resolver that knows one answer: the address that was checked. */
function answering(address: string): LookupFunction {
  const family = ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4;
  return (_host, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

async function limited(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw failed('The answer is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The system's resolver can't be stopped, but nobody has to wait for it. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(failed('There was no answer in time.'));
    signal.addEventListener('abort', late, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', late));
  });
}

function maxAgeOf(cacheControl: string): number | undefined {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return 0;
  const match = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl);
  return match ? Number(match[1]) : undefined;
}
