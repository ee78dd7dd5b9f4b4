import type { Client, Dispatcher } from 'undici';
import { connectOutgoing, noAnswer, type OutgoingPolicy } from './policy.ts';

export interface PostOptions {
  body: string | Buffer;
  /** Request headers; they must include the content-type of the body. */
  headers: Readonly<Record<string, string>>;
  /** Timeout in milliseconds including name resolution and response, default 10,000. */
  timeoutMs?: number;
  /** Maximum size in bytes of the response that is read, default 16 KiB. With 0, only the status is read. */
  maxBytes?: number;
}

export interface PostedAnswer {
  /** Status of the response, including redirects, which are not followed. */
  status: number;
  /** Response headers with names in lower case and the first of several values. */
  headers: Readonly<Record<string, string>>;
  /** Part of the response within the limits of size and time, never decompressed. */
  body: Buffer;
}

/**
 * POSTs to a supplied URL (a webhook, a receiver of security events) with the protections of `SafeFetch`: the
 * name is resolved once, each of its addresses must be public, and the connection goes to exactly the
 * verified address. No redirects, proxies or cookies; time and size are limited. A response beyond those
 * limits still counts by its status.
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
    // Also aborts a partly read body.
    await client.destroy().catch(() => undefined);
  }
}

/** Returns the first bytes of a response; missing bytes are omitted. */
async function beginning(body: Dispatcher.ResponseData['body'], limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // The body is destroyed with the connection, when no reader is left.
  body.on('error', () => undefined);
  if (limit === 0) return Buffer.alloc(0);
  try {
    for await (const chunk of body) {
      chunks.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= limit) break;
    }
  } catch {
    // Truncated or timed out: the status has arrived.
  }
  return Buffer.concat(chunks).subarray(0, limit);
}

const firstValues = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, (Array.isArray(value) ? value[0] : value) ?? '']),
  );
