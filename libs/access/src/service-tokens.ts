import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import { platformTenant } from './tokens/principal.ts';

export interface ServiceTokenOptions {
  /** The authorization server. */
  auth: Pick<HttpPeer, 'request'>;
  /** The platform client this process is, e.g. `provisioning`. */
  clientId: string;
  clientSecret: string;
  /** The audience asked for (RFC 8707 `resource`). */
  audience: string;
  clock?: () => number;
}

export interface ServiceTokens {
  /**
   * This process's token for one other service: renewed behind the callers' backs from half of its life on, kept until shortly before
   * it expires, fetched once however many callers wait.
   * @param refused a token that the service didn't take, its key being gone perhaps: this one is not given again, unless it
   * is only just there
   * @throws ServiceUnavailable when no token can be had
   */
  supply(refused?: string): Promise<string>;
  /**
   * Sees to it that there is a token of which at least half is left, for whoever needs one while the authorization server is away: asked
   * every few seconds it costs a request in half of a token's life. Doesn't wait.
   */
  tend(): void;
  /** The token in hand is worth nothing any more. */
  forget(): void;
}

/** A token that is refused when it is younger than this many milliseconds is refused for another reason than its age. */
const cooldown = 1_000;

/** Milliseconds between attempts to renew a token that is still good. */
const pause = 5_000;

/** Service tokens by client_credentials at the platform issuer. */
export function serviceTokens(options: ServiceTokenOptions): ServiceTokens {
  const clock = options.clock ?? Date.now;
  const basic = Buffer.from(
    `${encodeURIComponent(options.clientId)}:${encodeURIComponent(options.clientSecret)}`,
  ).toString('base64');
  let token: { value: string; from: number; renewAt: number; until: number } | undefined;
  let fetching: Promise<string> | undefined;

  const fetchToken = async (): Promise<string> => {
    const answer = await options.auth.request<{ access_token?: string; expires_in?: number }>({
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
    const from = clock();
    const after = (part: number) => from + Math.max(lifetime * part, 1) * 1000;
    token = { value: answer.body.access_token, from, renewAt: after(0.5), until: after(0.95) };
    return token.value;
  };

  /** Renewed long before it is needed, so that what rests on it outlives the authorization server's absence. */
  function renew(held: NonNullable<typeof token>): void {
    if (fetching !== undefined) return;
    held.renewAt = clock() + pause;
    fetchOnce().catch(() => undefined);
  }

  function fetchOnce(): Promise<string> {
    fetching ??= fetchToken().finally(() => {
      fetching = undefined;
    });
    return fetching;
  }

  return {
    async supply(refused) {
      const isRefused = token?.value === refused && token !== undefined && clock() - token.from >= cooldown;
      if (token && !isRefused && clock() < token.until) {
        if (clock() >= token.renewAt) renew(token);
        return token.value;
      }
      return fetchOnce();
    },
    tend() {
      if (token === undefined || clock() >= token.until) fetchOnce().catch(() => undefined);
      else if (clock() >= token.renewAt) renew(token);
    },
    forget() {
      token = undefined;
    },
  };
}
