import type { Caller } from '@ostiary/access';
import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import {
  type EndCarriedOut,
  type NamedCallers,
  type NamedOwner,
  NoSuchOwner,
  type Owners,
  type OwnershipEnd,
} from '../domain/ownership.ts';

/** Timeout in milliseconds: an administrator or the next round waits. */
const timeoutMs = 5_000;

/** The routes for connector owners on the authorization server's internal REST surface. */
export class RemoteOwners implements Owners {
  readonly #peer: HttpPeer;

  constructor(peer: HttpPeer) {
    this.#peer = peer;
  }

  async name(tenant: string, id: string): Promise<NamedOwner | undefined> {
    const { status, body } = await this.#peer.request<NamedOwner>({
      method: 'POST',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/connector-owners`,
      body: { id },
      // Naming a user again has the same effect.
      idempotent: true,
      timeoutMs,
    });
    if (status === 404) return undefined;
    if (status !== 200 || !Number.isSafeInteger(body.named)) throw unexpected(status);
    return body;
  }

  async nameCallers(tenant: string, callers: readonly Caller[], owning: boolean): Promise<NamedCallers> {
    const { status, body } = await this.#peer.request<{ owner?: NamedOwner | null; knownTo?: NamedOwner[] }>({
      method: 'POST',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/connector-callers`,
      body: { callers, owning },
      idempotent: true,
      timeoutMs,
    });
    if (status === 409) throw new NoSuchOwner();
    if (status === 404) return this.#nameUser(tenant, callers[0]);
    const { owner, knownTo } = body;
    if (status !== 200 || owner === undefined || knownTo === undefined) throw unexpected(status);
    return { owner, knownTo };
  }

  /** A release of the authorization server without that route can name only users. */
  async #nameUser(tenant: string, caller: Caller | undefined): Promise<NamedCallers> {
    if (caller?.kind !== 'user') return { owner: null, knownTo: [] };
    const owner = await this.name(tenant, caller.id);
    if (!owner) throw new NoSuchOwner();
    return { owner, knownTo: [owner] };
  }

  async ends(): Promise<OwnershipEnd[]> {
    const { status, body } = await this.#peer.request<{ ends?: OwnershipEnd[] }>({
      method: 'GET',
      path: '/internal/v1/ownership-ends',
      timeoutMs,
    });
    // A release from before connectors had owners has no such route.
    if (status === 404) return [];
    if (status !== 200 || !Array.isArray(body.ends)) throw unexpected(status);
    return body.ends;
  }

  async carriedOut(ends: readonly EndCarriedOut[]): Promise<void> {
    const { status } = await this.#peer.request<unknown>({
      method: 'POST',
      path: '/internal/v1/ownership-ends/carried-out',
      body: { ends },
      idempotent: true,
      timeoutMs,
    });
    if (status !== 204) throw unexpected(status);
  }
}

const unexpected = (status: number): ServiceUnavailable =>
  new ServiceUnavailable('auth', { cause: `answered ${status}` });
