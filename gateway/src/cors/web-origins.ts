import type { HttpPeer, Logger } from '@ostiary/service';

/** Origins of web apps, registered in the tenant's policy (`webOrigins`) or as redirect URIs of browser apps. */
export interface WebOrigins {
  /** Returns the active tenants for which an origin is registered. */
  tenantsOf(origin: string): Promise<ReadonlySet<string>>;
}

const none: ReadonlySet<string> = new Set();

/** No page of another origin may read responses. */
export const noWebOrigins: WebOrigins = { tenantsOf: async () => none };

/** Maximum age of the origins in milliseconds. */
const freshMs = 1_000;

export interface RegisteredWebOriginsOptions {
  auth: HttpPeer;
  log: Logger;
  /** Returns monotonic milliseconds. */
  clock?: () => number;
}

/**
 * The registered origins of the authorization server, at most one second old. They are requested when a page of
 * another origin sends a request, at most once a second, so made-up origins cost nothing. While the authorization
 * server is unavailable, its last response stays valid: an origin alone grants nothing.
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
