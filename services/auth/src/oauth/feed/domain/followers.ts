import { Gauge, type ServiceKit, Wake } from '@ostiary/service';
import { type Client, type ClientId, clientKey } from '../../../clients/index.ts';
import { OAuthError, slowDown } from '../../../platform/index.ts';

/** Maximum number of held requests and streams in this process: of one client, and in total. */
export interface FollowerLimits {
  ofClient: number;
  inAll: number;
}

const usualLimits: FollowerLimits = { ofClient: 1_000, inAll: 3_000 };
const retryMs = 5_000;

/** A held request or stream. */
export interface Held {
  readonly wake: Wake;
  /** Set when the registration of the client, or another one, may have changed. */
  hasChanged: boolean;
}

/** Held requests and streams of a client. */
interface HeldOfClient {
  readonly client: ClientId;
  readonly held: Set<Held>;
  /** Registration at the last check. */
  known: Client | null | undefined;
}

/** Held requests and streams of this process. */
export class Followers {
  readonly #limits: FollowerLimits;
  readonly #clients = new Map<string, HeldOfClient>();
  /** Number of held requests and streams by tenant. */
  readonly #ofTenant = new Map<string, number>();
  readonly #ending = new AbortController();
  #count = 0;

  constructor(limits: Partial<FollowerLimits> = {}) {
    this.#limits = { ...usualLimits, ...limits };
  }

  get count(): number {
    return this.#count;
  }

  /** Aborted when the process is about to end: held requests are answered, and no other is held. */
  get released(): AbortSignal {
    return this.#ending.signal;
  }

  /**
   * Runs work that may wait for `wake`.
   * @param gone aborted when the connection is closed
   * @throws OAuthError slow_down, temporarily_unavailable above the limits
   */
  async hold<T>(client: ClientId, gone: AbortSignal, work: (held: Held) => Promise<T>): Promise<T> {
    const ofClient = this.#clients.get(clientKey(client)) ?? { client, held: new Set(), known: undefined };
    this.#requirePlace(client.tenant, ofClient.held.size);
    // The client may have changed since it was authenticated.
    const held: Held = { wake: new Wake(), hasChanged: true };
    this.#clients.set(clientKey(client), ofClient);
    ofClient.held.add(held);
    this.#add(client.tenant, 1);
    const end = held.wake.pokeOn(gone);
    try {
      return await work(held);
    } finally {
      end();
      this.#add(client.tenant, -1);
      ofClient.held.delete(held);
      if (ofClient.held.size === 0) this.#clients.delete(clientKey(client));
    }
  }

  /** Lets the requests of a changed client, or of all clients of a tenant, check the registration; by default all. */
  noteChanged(changed: Partial<ClientId> = {}): void {
    for (const ofClient of this.#heldOf(changed))
      for (const held of ofClient.held) {
        held.hasChanged = true;
        held.wake.poke();
      }
  }

  /**
   * Notes the clients that changed since the last call: their notification may have been lost.
   * @param registered returns the current registration, the same object while it is unchanged
   */
  async noteMissedChanges(registered: (client: ClientId) => Promise<Client | null>): Promise<void> {
    for (const ofClient of [...this.#clients.values()]) {
      const current = await registered(ofClient.client);
      if (ofClient.known !== current) this.noteChanged(ofClient.client);
      ofClient.known = current;
    }
  }

  /** Answers all held requests before the process ends. */
  release(): void {
    this.#ending.abort();
    for (const { held } of this.#heldOf()) for (const { wake } of held) wake.poke();
  }

  /**
   * A tenant may hold as many places as it leaves free, so that there are places for each further tenant.
   * @throws OAuthError
   */
  #requirePlace(tenant: string, ofClient: number): void {
    const free = this.#limits.inAll - this.#count;
    if (free <= 0) throw tooManyFollowers();
    if (ofClient >= this.#limits.ofClient || (this.#ofTenant.get(tenant) ?? 0) >= free)
      throw slowDown(retryMs);
  }

  #add(tenant: string, change: 1 | -1): void {
    const count = (this.#ofTenant.get(tenant) ?? 0) + change;
    if (count === 0) this.#ofTenant.delete(tenant);
    else this.#ofTenant.set(tenant, count);
    this.#count += change;
  }

  #heldOf({ tenant, clientId }: Partial<ClientId> = {}): HeldOfClient[] {
    if (tenant === undefined) return [...this.#clients.values()];
    const one = clientId === undefined ? undefined : this.#clients.get(clientKey({ tenant, clientId }));
    if (clientId !== undefined) return one ? [one] : [];
    return [...this.#clients.values()].filter(({ client }) => client.tenant === tenant);
  }
}

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
