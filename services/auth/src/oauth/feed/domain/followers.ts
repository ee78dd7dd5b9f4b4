import { Gauge, type ServiceKit, Wake } from '@ostiary/service';
import type { Client } from '../../../clients/index.ts';
import { OAuthError, slowDown } from '../../../platform/index.ts';

/** Maximum number of held requests and streams in this process: of one client, and in total. */
export interface FollowerLimits {
  ofClient: number;
  inAll: number;
}

const usualLimits: FollowerLimits = { ofClient: 1_000, inAll: 2_000 };
const retryMs = 5_000;

/** A held request or stream. */
export interface Held {
  readonly wake: Wake;
  /** Set when the registration of the client, or another one, may have changed. */
  hasChanged: boolean;
}

type ClientKey = Pick<Client, 'tenant' | 'clientId'>;

/** Held requests and streams of this process. */
export class Followers {
  readonly #limits: FollowerLimits;
  readonly #held = new Map<string, Set<Held>>();
  #count = 0;
  #released = false;

  constructor(limits: Partial<FollowerLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits };
  }

  get count(): number {
    return this.#count;
  }

  /** Whether the process is about to end: held requests are answered, and no other is held. */
  get released(): boolean {
    return this.#released;
  }

  /**
   * Runs work that may wait for `wake`.
   * @param gone aborted when the connection is closed
   * @throws OAuthError slow_down, temporarily_unavailable above the limits
   */
  async hold<T>(client: ClientKey, gone: AbortSignal, work: (held: Held) => Promise<T>): Promise<T> {
    const key = keyOf(client);
    const ofClient = this.#held.get(key) ?? new Set();
    if (ofClient.size >= this.#limits.ofClient) throw slowDown(retryMs);
    if (this.#count >= this.#limits.inAll) throw tooManyFollowers();
    // The client may have changed since it was authenticated.
    const held: Held = { wake: new Wake(), hasChanged: true };
    const leave = (): void => held.wake.poke();
    this.#held.set(key, ofClient.add(held));
    this.#count += 1;
    gone.addEventListener('abort', leave);
    try {
      return await work(held);
    } finally {
      gone.removeEventListener('abort', leave);
      this.#count -= 1;
      ofClient.delete(held);
      if (ofClient.size === 0) this.#held.delete(key);
    }
  }

  /** Lets the requests of a changed client check its registration; those of all clients if none is given. */
  noteChanged(client: ClientKey | undefined): void {
    const changed = client ? [this.#held.get(keyOf(client)) ?? []] : this.#held.values();
    for (const ofClient of changed)
      for (const held of ofClient) {
        held.hasChanged = true;
        held.wake.poke();
      }
  }

  /** Answers all held requests before the process ends. */
  release(): void {
    this.#released = true;
    for (const ofClient of this.#held.values()) for (const { wake } of ofClient) wake.poke();
  }
}

const keyOf = ({ tenant, clientId }: ClientKey): string => `${tenant}/${clientId}`;

const tooManyFollowers = (): OAuthError =>
  new OAuthError('temporarily_unavailable', 'Too many requests of the revocation feed are held.', {
    statusCode: 503,
    retryAfterSeconds: retryMs / 1_000,
  });

/** Exports the number of held requests and streams. */
export function measureFollowers({ metrics }: Pick<ServiceKit, 'metrics'>, followers: Followers): void {
  new Gauge({
    name: 'revocation_feed_followers',
    help: 'Number of held requests and streams of the public revocation feed',
    registers: [metrics],
    collect() {
      this.set(followers.count);
    },
  });
}
