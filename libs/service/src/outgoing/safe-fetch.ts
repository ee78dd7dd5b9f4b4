import type { Client } from 'undici';
import { connectOutgoing, failed, noAnswer, type OutgoingPolicy } from './policy.ts';

export interface FetchOptions {
  /** What the Accept header says. */
  accept?: string;
  /** Bytes the body may have; 256 KiB unless said. */
  maxBytes?: number;
  /** Milliseconds for all of it, names and body included; 5,000 unless said. */
  timeoutMs?: number;
  /** Gives it up before that. */
  signal?: AbortSignal;
}

export interface FetchedDocument {
  body: Buffer;
  /** The media type without parameters, in lower case; empty when none was sent. */
  contentType: string;
  /** Seconds for which the answer says it is fresh (Cache-Control max-age); undefined when it doesn't say. */
  maxAge: number | undefined;
}

/**
 * GETs a document from an address that somebody else wrote down (`jwks_uri`, a logo, a metadata document), without
 * becoming their way into our network: the name is resolved once, each of its addresses must be a public one, and the
 * connection goes to exactly the address that was checked. No redirects, no proxies, no cookies, no compression; the
 * time and the size are capped.
 * @throws OutgoingFetchError
 */
export type SafeFetch = (url: string, options?: FetchOptions) => Promise<FetchedDocument>;

export function createSafeFetch(policy: OutgoingPolicy): SafeFetch {
  return async (url, options = {}) => {
    const inTime = AbortSignal.timeout(options.timeoutMs ?? 5_000);
    const signal = options.signal === undefined ? inTime : AbortSignal.any([inTime, options.signal]);
    if (signal.aborted) throw failed('There was no answer in time.');
    const { client, path } = await connectOutgoing(url, policy, signal);
    return get(client, path, options, signal);
  };
}

async function get(
  client: Client,
  path: string,
  options: FetchOptions,
  signal: AbortSignal,
): Promise<FetchedDocument> {
  try {
    const response = await client.request({
      method: 'GET',
      path,
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
    throw noAnswer(error, signal);
  } finally {
    // Also ends a body that was only read in part.
    await client.destroy().catch(() => undefined);
  }
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

function maxAgeOf(cacheControl: string): number | undefined {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return 0;
  const match = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl);
  return match ? Number(match[1]) : undefined;
}
