import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { Grants } from '../../../access/index.ts';
import type { EventPublisher, RevocationFeed } from '../../../tenancy/index.ts';
import type { ApiStore } from './api-store.ts';
import { reachOf } from './apis.ts';

interface ApiGrantEndsOptions {
  apiStore: ApiStore;
  grants: Grants;
  eventPublisher: Pick<EventPublisher, 'grantsEnded'>;
  revocations: RevocationFeed;
}

const reason = 'api_role_removed';

/** Ends what was issued to users for an API while they had a role of it. */
export class ApiGrantEnds {
  readonly #o: ApiGrantEndsOptions;

  constructor(o: ApiGrantEndsOptions) {
    this.#o = o;
  }

  /**
   * Revokes the grants of a user for these APIs. The caller holds the user; the returned revocations are published
   * after the commit.
   */
  async endIssued(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    apiIds: readonly string[],
  ): Promise<Revocation[]> {
    const { apiStore, grants, eventPublisher, revocations } = this.#o;
    const resources = (await apiStore.ofIds(tx, tenant, apiIds)).flatMap((api) => reachOf(api).resources);
    const { entries, clientIds } = await grants.revokeByResources(tx, tenant, subjectId, resources);
    await eventPublisher.grantsEnded(
      tx,
      tenant,
      clientIds.map((clientId) => ({ subjectId, clientId })),
      reason,
    );
    return revocations.append(tx, entries, reason);
  }
}
