import { HttpPeer, ServiceUnavailable } from '@ostiary/service';
import { platformTenant } from './principal.ts';

export interface ServiceTokenOptions {
  authUrl: string;
  /** The platform client this process is, e.g. `provisioning`. */
  clientId: string;
  clientSecret: string;
  /** The audience asked for (RFC 8707 `resource`). */
  audience: string;
  clock?: () => number;
}

/**
 * Supplies this process's token for one other service: client_credentials at the platform issuer, kept until
 * shortly before it expires, fetched once however many callers wait.
 * @throws (from the supplier) ServiceUnavailable when no token can be had
 */
export function serviceTokens(options: ServiceTokenOptions): () => Promise<string> {
  const peer = new HttpPeer({ name: 'auth', origin: options.authUrl, connections: 2 });
  const clock = options.clock ?? Date.now;
  const basic = Buffer.from(
    `${encodeURIComponent(options.clientId)}:${encodeURIComponent(options.clientSecret)}`,
  ).toString('base64');
  let token: { value: string; until: number } | undefined;
  let fetching: Promise<string> | undefined;

  const fetchToken = async (): Promise<string> => {
    const answer = await peer.request<{ access_token?: string; expires_in?: number }>({
      method: 'POST',
      path: `/t/${platformTenant}/token`,
      form: new URLSearchParams({ grant_type: 'client_credentials', resource: options.audience }),
      headers: { authorization: `Basic ${basic}` },
      idempotent: true,
    });
    if (answer.status !== 200 || typeof answer.body.access_token !== 'string') {
      throw new ServiceUnavailable('auth', { cause: `no service token: ${answer.status}` });
    }
    const lifetime = answer.body.expires_in ?? 60;
    token = { value: answer.body.access_token, until: clock() + Math.max(lifetime * 0.8, 1) * 1000 };
    return token.value;
  };

  return async () => {
    if (token && clock() < token.until) return token.value;
    fetching ??= fetchToken().finally(() => {
      fetching = undefined;
    });
    return fetching;
  };
}
