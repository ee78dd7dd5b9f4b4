import type { HttpPeer, Logger } from '@ostiary/service';

/** Origins of web apps, registered in the tenant's policy (`webOrigins`) or as redirect URIs of apps in the browser. */
export interface WebOrigins {
  /** The active tenants for which an origin is registered. */
  tenantsOf(origin: string): Promise<ReadonlySet<string>>;
}

const none: ReadonlySet<string> = new Set();

/** None: no page of another origin may read answers. */
export const noWebOrigins: WebOrigins = { tenantsOf: async () => none };

/** What was answered so long ago isn't gone by. */
const freshMs = 1_000;

export interface RegisteredWebOriginsOptions {
  auth: Pick<HttpPeer, 'request'>;
  log: Logger;
  /** Monotonic milliseconds. */
  clock?: () => number;
}

/**
 * The registered origins as the authorization server has them, at most a second old. It is asked when a page of another origin asks for
 * something, and once a second however many do: made-up origins cost nothing. While it doesn't answer, its last answer stands, for
 * an origin by itself opens nothing.
 */
export class RegisteredWebOrigins implements WebOrigins {
  readonly #options: RegisteredWebOriginsOptions;
  readonly #clock: () => number;
  #tenants: ReadonlyMap<string, ReadonlySet<string>> = new Map();
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #failing = false;

  constructor(options: RegisteredWebOriginsOptions) {
    this.#options = options;
    this.#clock = options.clock ?? (() => performance.now());
  }

  async tenantsOf(origin: string): Promise<ReadonlySet<string>> {
    if (this.#clock() - this.#askedAt > freshMs) {
      this.#asking ??= this.#ask().finally(() => {
        this.#asking = undefined;
      });
      await this.#asking;
    }
    return this.#tenants.get(origin) ?? none;
  }

  async #ask(): Promise<void> {
    const begun = this.#clock();
    try {
      const { status, body } = await this.#options.auth.request<{ origins: Record<string, string[]> }>({
        method: 'GET',
        path: '/internal/v1/web-origins',
      });
      if (status !== 200) throw new Error(`answered ${status}`);
      this.#tenants = new Map(
        Object.entries(body.origins).map(([origin, tenants]) => [origin, new Set(tenants)]),
      );
      this.#failing = false;
    } catch (error) {
      if (!this.#failing)
        this.#options.log.warn(
          { event: 'cors.origins_unavailable', err: error },
          'Registered web origins could not be loaded',
        );
      this.#failing = true;
    } finally {
      this.#askedAt = begun;
    }
  }
}
