import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { Client } from 'undici';
import { readWebAddress } from './web-address.ts';

/** Restrictions on requests to URLs that users or clients supplied. */
export interface OutgoingPolicy {
  /**
   * Permits loopback and private networks, for development and closed networks. Link-local addresses and
   * cloud metadata services stay blocked. Names are then resolved by the system, with `/etc/hosts` and search
   * domains; otherwise by name servers, exactly as written.
   */
  allowPrivate: boolean;
  /** Permits plain http; never in production. */
  allowHttp: boolean;
  /** Name servers as `address:port`, default those of the system; for tests. */
  nameServers?: readonly string[];
  /** Resolver that replaces all others; for tests. */
  resolve?: (host: string) => Promise<readonly string[]>;
}

/** Error of a failed request. The message is for logs and administrators and contains no internal address. */
export class OutgoingFetchError extends Error {
  /** refused: the URL is not allowed, retrying is useless. failed: no usable response this time. */
  readonly kind: 'refused' | 'failed';

  constructor(kind: 'refused' | 'failed', message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OutgoingFetchError';
    this.kind = kind;
  }
}

const refused = (message: string): OutgoingFetchError => new OutgoingFetchError('refused', message);
/** Returns the error of a missing or unusable response. */
export const failed = (message: string, cause?: unknown): OutgoingFetchError =>
  new OutgoingFetchError('failed', message, { cause });

/**
 * Verifies everything about a URL that needs no request: scheme, no credentials, no port of another protocol,
 * no literal private address.
 * @throws OutgoingFetchError refused
 */
export function checkOutgoingUrl(
  text: string,
  policy: Pick<OutgoingPolicy, 'allowHttp' | 'allowPrivate'>,
): URL {
  if (text.length > 2_048 || !URL.canParse(text)) throw refused('The address is not a URL.');
  const { protocol } = new URL(text);
  if (protocol !== 'https:' && !(policy.allowHttp && protocol === 'http:')) {
    throw refused('The address must use https.');
  }
  const url = readWebAddress(text);
  if (typeof url === 'string') throw refused(`The address ${url}.`);
  if (url.hash !== '') throw refused('The address must not have a fragment.');
  if (leadsInside(url, policy)) throw refused('The address is not public.');
  return url;
}

/**
 * Names reserved for private use (RFC 6761 §6.3, RFC 6762 §3, RFC 8375), internal names of clouds, and names
 * without a dot.
 */
const privateName = /^(?:[^.]*|(?:.*\.)?(?:localhost|local|internal|intranet|lan|home\.arpa))\.?$/i;

/**
 * Reports whether a URL is private by its host alone, so that it is rejected when it is stored. The addresses
 * of public names are verified at each request.
 */
export function leadsInside(url: URL, policy: Pick<OutgoingPolicy, 'allowPrivate'>): boolean {
  const literal = literalAddress(url);
  if (literal !== undefined) return !isAllowed(literal, policy);
  return !policy.allowPrivate && privateName.test(url.hostname);
}

// The URL parser has already normalised 0x7f.1, 2130706433 and similar forms.
function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}

/**
 * Metadata services of clouds outside link-local addresses, which issue credentials. Their ranges are private
 * or even public, but belong to no network of the installation.
 */
const metadataServices = [
  // Amazon: all instance services, including credentials of pods (fd00:ec2::23).
  'fd00:ec2::/32',
  // Google, Oracle, Scaleway, Akamai.
  'fd20:ce::254/128',
  'fd00:c1::a9fe:a9fe/128',
  'fd00:42::42/128',
  'fd00:a9fe:a9fe::1/128',
  // Alibaba.
  '100.100.100.200/32',
  'fd00:100::100:200/128',
  // Azure.
  '168.63.129.16/32',
].map((range) => ipaddr.parseCIDR(range));
const privateRanges: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal', 'carrierGradeNat']);
// Addresses other than global unicast (RFC 4291 §2.4) may embed an IPv4 address: mapped, compatible,
// translated.
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

function isAllowed(text: string, policy: Pick<OutgoingPolicy, 'allowPrivate'>): boolean {
  const address = ipaddr.process(text);
  const range = address.range();
  if (metadataServices.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits)))
    return false;
  if (policy.allowPrivate && privateRanges.has(range)) return true;
  if (range !== 'unicast') return false;
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(globalUnicast);
}

async function pinnedAddress(url: URL, policy: OutgoingPolicy, signal: AbortSignal): Promise<string> {
  const literal = literalAddress(url);
  if (literal !== undefined) return literal;
  const resolve =
    policy.resolve ??
    (policy.allowPrivate
      ? systemAddresses
      : (host: string) => publishedAddresses(host, policy.nameServers, signal));
  const addresses = await resolve(url.hostname).catch((error: unknown) => {
    throw failed('The host name has no address.', error);
  });
  const first = addresses[0];
  if (first === undefined) throw failed('The host name has no address.');
  // A private address among public ones is an attack, not a configuration.
  if (!addresses.every((address) => ipaddr.isValid(address) && isAllowed(address, policy))) {
    throw refused('The address is not public.');
  }
  return first;
}

/** Timeout of each name server in milliseconds. */
const nameServerMs = 2_000;

/**
 * Resolves a name by name servers. The system's resolver occupies one of the process's two resolver threads
 * until it is done, so a few names with silent servers would block all lookups.
 */
async function publishedAddresses(
  host: string,
  nameServers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  // One resolver per name: cancelling one lookup does not cancel others.
  const resolver = new Resolver({ timeout: nameServerMs, tries: 1 });
  if (nameServers) resolver.setServers(nameServers);
  const giveUp = (): void => resolver.cancel();
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    if (four.status === 'rejected' && six.status === 'rejected') throw four.reason;
    const found = [four, six].map((one) => (one.status === 'fulfilled' ? one.value : []));
    return (speaksIpv4() ? found : found.reverse()).flat();
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

const speaksIpv4 = (): boolean =>
  Object.values(networkInterfaces()).some((addresses) =>
    addresses?.some(({ family, internal }) => family === 'IPv4' && !internal),
  );

const systemAddresses = async (host: string): Promise<string[]> =>
  (await systemLookup(host, { all: true })).map(({ address }) => address);

/**
 * Connects to a supplied address without exposing the internal network (SSRF): the name is resolved once,
 * each of its addresses must be public, and the connection goes to exactly the verified address.
 * @param signal aborts the name resolution
 * @throws OutgoingFetchError
 */
export async function connectOutgoing(
  text: string,
  policy: OutgoingPolicy,
  signal: AbortSignal,
): Promise<{ client: Client; path: string }> {
  const url = checkOutgoingUrl(text, policy);
  const address = await within(signal, pinnedAddress(url, policy, signal));
  const client = new Client(url.origin, {
    connect: { lookup: answering(address), timeout: 3_000 },
    pipelining: 0,
    maxHeaderSize: 16_384,
  });
  return { client, path: `${url.pathname}${url.search}` };
}

/** Returns the error of a response that did not arrive. */
export function noAnswer(error: unknown, signal: AbortSignal): OutgoingFetchError {
  if (error instanceof OutgoingFetchError) return error;
  return failed(signal.aborted ? 'The request timed out.' : 'The server did not respond.', error);
}

/** Returns a resolver with one answer: the verified address. */
function answering(address: string): LookupFunction {
  const family = ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4;
  return (_host, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

/** Rejects on abort. The system's resolver and a test's cannot be cancelled, but the caller need not wait. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(failed('The request timed out.'));
    signal.addEventListener('abort', late, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', late));
  });
}
