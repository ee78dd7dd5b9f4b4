import type { Client, Dispatcher } from 'undici';
import { connectOutgoing, noAnswer, type OutgoingPolicy } from './policy.ts';

export interface PostOptions {
  body: string | Buffer;
  /** Say the body's content-type too. */
  headers: Readonly<Record<string, string>>;
  /** Milliseconds for all of it, names and answer included; 10,000 unless said. */
  timeoutMs?: number;
  /** Bytes of the answer that are read; 16 KiB unless said. 0: the answer is its status. */
  maxBytes?: number;
}

export interface PostedAnswer {
  /** Whatever the receiver said, redirects included: none is followed. */
  status: number;
  /** Names in lower case. Of several values of one name the first. */
  headers: Readonly<Record<string, string>>;
  /** As much of the answer as was asked for and came in time, as it was sent: never decompressed. */
  body: Buffer;
}

/**
 * POSTs to an address that somebody else wrote down (a webhook, a receiver of security events), with the protections of
 * `SafeFetch`: the name is resolved once, each of its addresses must be a public one, and the connection goes to exactly
 * the address that was checked. No redirects, no proxies, no cookies; time and size are capped. An answer that is
 * larger or slower than that has been given all the same: what counts is its status.
 * @throws OutgoingFetchError
 */
export type SafePost = (url: string, options: PostOptions) => Promise<PostedAnswer>;

export function createSafePost(policy: OutgoingPolicy): SafePost {
  return async (url, options) => {
    const signal = AbortSignal.timeout(options.timeoutMs ?? 10_000);
    const { client, path } = await connectOutgoing(url, policy, signal);
    return post(client, path, options, signal);
  };
}

async function post(
  client: Client,
  path: string,
  options: PostOptions,
  signal: AbortSignal,
): Promise<PostedAnswer> {
  try {
    const response = await client.request({
      method: 'POST',
      path,
      headers: { ...options.headers, 'accept-encoding': 'identity', 'user-agent': 'Ostiary' },
      body: options.body,
      signal,
    });
    return {
      status: response.statusCode,
      headers: firstValues(response.headers),
      body: await beginning(response.body, options.maxBytes ?? 16_384),
    };
  } catch (error) {
    throw noAnswer(error, signal);
  } finally {
    // Also ends a body that was only read in part.
    await client.destroy().catch(() => undefined);
  }
}

/** The first bytes of an answer; what doesn't come is left out. */
async function beginning(body: Dispatcher.ResponseData['body'], limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // It is destroyed with the connection, and nobody waits for it then.
  body.on('error', () => undefined);
  if (limit === 0) return Buffer.alloc(0);
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= limit) break;
    }
  } catch {
    // Cut off, or out of time: the status has come.
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

const firstValues = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, (Array.isArray(value) ? value[0] : value) ?? '']),
  );
