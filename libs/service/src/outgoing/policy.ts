import { Resolver, lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';
import { Client } from 'undici';
import { readWebAddress } from './web-address.ts';

/** What this process may fetch at an address that somebody else wrote down. */
export interface OutgoingPolicy {
  /**
   * Loopback and private networks too; for development and closed networks. Link-local addresses and the clouds' metadata
   * services stay refused. Names are then looked up as the system does, `/etc/hosts` and search domains included; otherwise
   * name servers are asked, for the name as it was written.
   */
  allowPrivate: boolean;
  /** Plain http too; never in production. */
  allowHttp: boolean;
  /** Name servers, `address:port`; the system's unless a test has others. */
  nameServers?: readonly string[];
  /** Names to addresses, in place of all that; for tests. */
  resolve?: (host: string) => Promise<readonly string[]>;
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

const refused = (message: string): OutgoingFetchError => new OutgoingFetchError('refused', message);
/** No usable answer this time. */
export const failed = (message: string, cause?: unknown): OutgoingFetchError =>
  new OutgoingFetchError('failed', message, { cause });

/**
 * The parts of an address that can be judged without asking for it: scheme, no credentials, no port of another protocol, no literal private address.
 * @throws OutgoingFetchError refused
 */
export function checkOutgoingUrl(
  text: string,
  policy: Pick<OutgoingPolicy, 'allowHttp' | 'allowPrivate'>,
): URL {
  if (text.length > 2_048 || !URL.canParse(text)) throw refused('The address is not a URL.');
  const { protocol } = new URL(text);
  if (protocol !== 'https:' && !(policy.allowHttp && protocol === 'http:')) {
    throw refused('Only https addresses are fetched.');
  }
  const url = readWebAddress(text);
  if (typeof url === 'string') throw refused(`The address ${url}.`);
  if (url.hash !== '') throw refused('The address must not have a fragment.');
  if (leadsInside(url, policy)) throw refused('The address is not a public one.');
  return url;
}

/** Names that never are anybody else's (RFC 6761 §6.3, RFC 6762 §3, RFC 8375), those that clouds give their own, and names without a dot. */
const privateName = /^(?:[^.]*|(?:.*\.)?(?:localhost|local|internal|intranet|lan|home\.arpa))\.?$/i;

/**
 * Whether an address says by itself that it isn't a public one: what is refused when somebody wants it stored, long before it is asked
 * for. What a public name leads to is looked at each time it is.
 */
export function leadsInside(url: URL, policy: Pick<OutgoingPolicy, 'allowPrivate'>): boolean {
  const literal = literalAddress(url);
  if (literal !== undefined) return !isAllowed(literal, policy);
  return !policy.allowPrivate && privateName.test(url.hostname);
}

// The URL parser has already turned 0x7f.1, 2130706433 and their like into dotted quads.
function literalAddress(url: URL): string | undefined {
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(host) ? host : undefined;
}

/**
 * Where clouds hand out credentials beside their link-local addresses: in ranges that are private, or even public, and yet nobody's
 * own network.
 */
const metadataServices = [
  // Amazon: everything it runs for an instance, also the credentials of pods (fd00:ec2::23).
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
// What isn't global unicast (RFC 4291 §2.4) may embed an IPv4 address: mapped, compatible, translated.
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

/** Milliseconds for each name server. */
const nameServerMs = 2_000;

/**
 * What name servers say of a name. Not by the system's resolver: that one occupies one of the two threads for names that a
 * process has until it is done, so that a few names whose servers don't answer would keep everybody from looking up any.
 */
async function publishedAddresses(
  host: string,
  nameServers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<string[]> {
  // One for each name: what is given up takes nobody else's answer with it.
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
 * A connection to an address that somebody else wrote down, without becoming their way into our network: the name is
 * resolved once, each of its addresses must be a public one, and it goes to exactly the address that was checked.
 * @param signal ends the waiting for the name
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

/** What is thrown for an answer that didn't come. */
export function noAnswer(error: unknown, signal: AbortSignal): OutgoingFetchError {
  if (error instanceof OutgoingFetchError) return error;
  return failed(signal.aborted ? 'There was no answer in time.' : 'There was no answer.', error);
}

/** A resolver that knows one answer: the address that was checked. */
function answering(address: string): LookupFunction {
  const family = ipaddr.parse(address).kind() === 'ipv6' ? 6 : 4;
  return (_host, options, callback) => {
    if (options.all) callback(null, [{ address, family }]);
    else callback(null, address, family);
  };
}

/** The system's resolver, and a test's, can't be stopped, but nobody has to wait for it. */
function within<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const late = (): void => reject(failed('There was no answer in time.'));
    signal.addEventListener('abort', late, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', late));
  });
}
