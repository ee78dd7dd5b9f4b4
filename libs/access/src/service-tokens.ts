import { type HttpPeer, latest, ServiceUnavailable } from '@ostiary/service';
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

/** A token that is refused when it is younger than this many milliseconds is refused for another reason than its age. */
const cooldown = 1_000;

/** Milliseconds between attempts to renew a token that is still good. */
const pause = 5_000;

/** A token, and until when it is good for what; milliseconds. */
interface HeldToken {
  value: string;
  from: number;
  renewAt: number;
  until: number;
}

/** This process's tokens for one audience, by client_credentials at the platform issuer. */
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
   * This process's token for one other service: renewed behind the callers' backs from half of its life on, kept until shortly before
   * it expires, fetched once however many callers wait.
   * @param refused a token that the service didn't take, its key being gone perhaps: this one is not given again, unless it
   * is only just there
   * @throws ServiceUnavailable when no token can be had
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
   * Sees to it that there is a token of which at least half is left, for when one is needed while the authorization server is away: asked
   * every few seconds it costs a request in half of a token's life. Doesn't wait.
   */
  tend(): void {
    const token = this.#token;
    if (token === undefined || this.#clock() >= token.until) this.#fetchOnce().catch(() => undefined);
    else if (this.#clock() >= token.renewAt) this.#renew(token);
  }

  /** Whether the authorization server said, when it was asked last, that this is not the secret of this process. */
  get rejected(): boolean {
    return this.#rejected;
  }

  /** Whether there is a token that may still be used. */
  get held(): boolean {
    return this.#token !== undefined && this.#clock() < this.#token.until;
  }

  /** The token in hand is worth nothing any more. */
  forget(): void {
    this.#token = undefined;
  }

  /** Renewed long before it is needed, so that what rests on it outlives the authorization server's absence. */
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
