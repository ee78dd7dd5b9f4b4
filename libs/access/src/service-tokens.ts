import { type HttpPeer, latest, ServiceUnavailable } from '@ostiary/service';
import { platformTenant } from './tokens/principal.ts';

export interface ServiceTokenOptions {
  /** The authorization server. */
  auth: Pick<HttpPeer, 'request'>;
  /** Platform client id of this process, such as `provisioning`. */
  clientId: string;
  clientSecret: string;
  /** Requested audience (RFC 8707 `resource`). */
  audience: string;
  clock?: () => number;
}

/** A token younger than this in milliseconds was rejected for another reason than its age. */
const cooldown = 1_000;

/** Milliseconds between attempts to renew a token that is still valid. */
const pause = 5_000;

/** A token with its renewal and expiry times in milliseconds. */
interface HeldToken {
  value: string;
  from: number;
  renewAt: number;
  until: number;
}

/** Tokens of this process for one audience, by client_credentials at the platform issuer. */
export class ServiceTokens {
  readonly #options: ServiceTokenOptions;
  readonly #clock: () => number;
  #token: HeldToken | undefined;
  #fetching: Promise<string> | undefined;
  #rejected = false;

  constructor(options: ServiceTokenOptions) {
    this.#options = options;
    this.#clock = options.clock ?? Date.now;
  }

  /**
   * Returns this process's token for another service. It is renewed in the background from half of its
   * lifetime on, kept until shortly before expiry, and requested once for concurrent callers.
   * @param refused a token that the service rejected, such as after a key removal; it is not returned again
   * unless it is new
   * @throws ServiceUnavailable if no token can be obtained
   */
  async supply(refused?: string): Promise<string> {
    const token = this.#token;
    const isRefused =
      token !== undefined && token.value === refused && this.#clock() - token.from >= cooldown;
    if (token && !isRefused && this.#clock() < token.until) {
      if (this.#clock() >= token.renewAt) this.#renew(token);
      return token.value;
    }
    return this.#fetchOnce();
  }

  /**
   * Ensures that at least half of a token's lifetime remains, for outages of the authorization server. Called
   * every few seconds, it sends one request per half lifetime. Does not wait.
   */
  tend(): void {
    const token = this.#token;
    if (token === undefined || this.#clock() >= token.until) this.#fetchOnce().catch(() => undefined);
    else if (this.#clock() >= token.renewAt) this.#renew(token);
  }

  /** Whether the authorization server rejected this process's secret at the last request. */
  get rejected(): boolean {
    return this.#rejected;
  }

  /** Whether there is a valid token. */
  get held(): boolean {
    return this.#token !== undefined && this.#clock() < this.#token.until;
  }

  /** Discards the current token. */
  forget(): void {
    this.#token = undefined;
  }

  /** Renews early, so that an outage of the authorization server has no effect. */
  #renew(held: HeldToken): void {
    if (this.#fetching !== undefined) return;
    held.renewAt = this.#clock() + pause;
    this.#fetchOnce().catch(() => undefined);
  }

  #fetchOnce(): Promise<string> {
    this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    });
    return this.#fetching;
  }

  async #fetch(): Promise<string> {
    const { auth, clientId, clientSecret, audience } = this.#options;
    const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(latest(clientSecret))}`;
    const answer = await auth.request<{ access_token?: string; expires_in?: number }>({
      method: 'POST',
      path: `/t/${platformTenant}/token`,
      form: new URLSearchParams({ grant_type: 'client_credentials', resource: audience }),
      headers: { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
      idempotent: true,
    });
    // RFC 6749 §5.2
    this.#rejected = answer.status === 401;
    if (answer.status !== 200 || typeof answer.body.access_token !== 'string') {
      throw new ServiceUnavailable('auth', { cause: `no service token: ${answer.status}` });
    }
    const lifetime = answer.body.expires_in ?? 60;
    const from = this.#clock();
    const after = (part: number) => from + Math.max(lifetime * part, 1) * 1000;
    this.#token = { value: answer.body.access_token, from, renewAt: after(0.5), until: after(0.95) };
    return answer.body.access_token;
  }
}
