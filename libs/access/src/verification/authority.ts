import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import type { Waiting } from '../revocations/follower.ts';
import type { RevocationPage } from '../revocations/revocations.ts';
import type { LiveApiToken } from '../tokens/live-api-tokens.ts';

/** Timeout in ms of the authorization server's responses that do not wait. */
export const answerMs = 3_000;

/** Calls to the authorization server's internal API for the verification of tokens. */
export class Authority {
  readonly #auth: Pick<HttpPeer, 'request'>;

  /** @param auth client with this process's token for the authorization server */
  constructor(auth: Pick<HttpPeer, 'request'>) {
    this.#auth = auth;
  }

  /**
   * Returns the unexpired revocations after the given one. @throws ServiceUnavailable
   * @param waiting maximum wait if there are none yet (RFC 7240 §4.3); servers of earlier releases respond
   * immediately
   */
  revocations(after: string | undefined, waiting?: Waiting): Promise<RevocationPage> {
    return this.#answer<RevocationPage>({
      method: 'GET',
      path: '/internal/v1/revocations',
      query: { after },
      untraced: true,
      ...(waiting && {
        headers: { prefer: `wait=${waiting.seconds}` },
        timeoutMs: answerMs + waiting.seconds * 1_000,
        signal: waiting.signal,
      }),
    });
  }

  /** Reports whether an access token is active (RFC 7662). @throws ServiceUnavailable */
  async introspect(tenant: string, token: string): Promise<boolean> {
    const body = await this.#answer<{ active?: boolean }>({
      method: 'POST',
      path: '/internal/v1/introspect',
      body: { tenant, token },
      idempotent: true,
    });
    return body.active === true;
  }

  /**
   * Returns the live personal access token or API key of a text, if there is one. @throws ServiceUnavailable
   */
  async apiToken(token: string): Promise<LiveApiToken | undefined> {
    const body = await this.#answer<{ token?: LiveApiToken }>({
      method: 'POST',
      path: '/internal/v1/api-tokens/introspect',
      body: { token },
      idempotent: true,
    });
    return body.token;
  }

  async #answer<T>(request: Parameters<HttpPeer['request']>[0]): Promise<T> {
    const { status, body } = await this.#auth.request<T>(request);
    if (status !== 200) throw new ServiceUnavailable('auth', { cause: `answered ${status}` });
    return body;
  }
}
