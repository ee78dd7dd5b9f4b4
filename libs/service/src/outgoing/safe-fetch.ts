import type { Client } from 'undici';
import { connectOutgoing, failed, noAnswer, type OutgoingPolicy } from './policy.ts';

export interface FetchOptions {
  /** Accept header. */
  accept?: string;
  /** Maximum size of the body in bytes, default 256 KiB. */
  maxBytes?: number;
  /** Timeout in milliseconds including name resolution and body, default 5,000. */
  timeoutMs?: number;
  /** Aborts the request. */
  signal?: AbortSignal;
}

export interface FetchedDocument {
  body: Buffer;
  /** Media type without parameters, in lower case; empty if none was sent. */
  contentType: string;
  /** Freshness lifetime in seconds (Cache-Control max-age); undefined if the response states none. */
  maxAge: number | undefined;
}

/**
 * GETs a document from a supplied URL (`jwks_uri`, a logo, a metadata document) without exposing the internal
 * network (SSRF): the name is resolved once, each of its addresses must be public, and the connection goes to
 * exactly the verified address. No redirects, proxies, cookies or compression; time and size are limited.
 * @throws OutgoingFetchError
 */
export type SafeFetch = (url: string, options?: FetchOptions) => Promise<FetchedDocument>;

export function createSafeFetch(policy: OutgoingPolicy): SafeFetch {
  return async (url, options = {}) => {
    const inTime = AbortSignal.timeout(options.timeoutMs ?? 5_000);
    const signal = options.signal === undefined ? inTime : AbortSignal.any([inTime, options.signal]);
    if (signal.aborted) throw failed('The request timed out.');
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
    if (response.statusCode !== 200) throw failed(`The response has status ${response.statusCode}.`);
    if (!/^(identity)?$/i.test(header('content-encoding'))) throw failed('The response is compressed.');
    const limit = options.maxBytes ?? 262_144;
    if (Number(header('content-length')) > limit) throw failed('The response is too large.');
    return {
      body: await limited(response.body, limit),
      contentType: (header('content-type').split(';')[0] ?? '').trim().toLowerCase(),
      maxAge: maxAgeOf(header('cache-control')),
    };
  } catch (error) {
    throw noAnswer(error, signal);
  } finally {
    // Also aborts a partly read body.
    await client.destroy().catch(() => undefined);
  }
}

async function limited(body: AsyncIterable<Buffer>, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > limit) throw failed('The response is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function maxAgeOf(cacheControl: string): number | undefined {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return 0;
  const match = /\bmax-age=(\d{1,9})\b/i.exec(cacheControl);
  return match ? Number(match[1]) : undefined;
}
