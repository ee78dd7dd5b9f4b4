import { type HttpPeer, type Logger, ServiceUnavailable, type Transactions } from '@ostiary/service';
import type { RoleHolderStore } from './role-holder-store.ts';
import { scopesToActOn } from './roles.ts';

/**
 * Tells the directory who has a role, and what giving it takes: by that it protects what these people are recognised by, whether or
 * not this service answers then. Who is to be told of is noted by the database itself, with each change of a role.
 */
export interface RoleHolderNotices {
  /** @throws ServiceUnavailable */
  tell(tenant: string, subjectId: string): Promise<void>;
  /** The same right after a change; what doesn't work now is done by the job. */
  follow(tenant: string, subjectId: string): Promise<void>;
  /** Tells what is left to tell. @throws ServiceUnavailable */
  catchUp(signal: AbortSignal): Promise<void>;
}

/** Milliseconds: somebody may be waiting. */
const timeoutMs = 2_000;
/** People of one round. */
const atOnce = 20;

export interface RoleHolderNoticesOptions {
  database: Transactions;
  directory: HttpPeer;
  roleHolderStore: RoleHolderStore;
  log: Logger;
}

export class DirectoryRoleHolderNotices implements RoleHolderNotices {
  readonly #o: RoleHolderNoticesOptions;

  constructor(options: RoleHolderNoticesOptions) {
    this.#o = options;
  }

  async tell(tenant: string, subjectId: string): Promise<void> {
    const { roleHolderStore } = this.#o;
    await this.#o.database.transaction(async (tx) => {
      const version = await roleHolderStore.lockHolder(tx, tenant, subjectId);
      if (version === undefined) return;
      const roles = await roleHolderStore.ownRolesOf(tx, tenant, subjectId);
      const { status } = await this.#o.directory.request<unknown>({
        method: 'PUT',
        path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/${encodeURIComponent(subjectId)}/privilege`,
        body: { scopes: [...new Set(scopesToActOn(roles))], version },
        timeoutMs,
      });
      // 404: it has no such tenant (any more), and so nobody to protect.
      if (status !== 204 && status !== 404)
        throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
      await roleHolderStore.noteHolderNotified(tx, tenant, subjectId, roles.length > 0);
    });
  }

  async follow(tenant: string, subjectId: string): Promise<void> {
    await this.tell(tenant, subjectId).catch((error) =>
      this.#o.log.warn(
        { event: 'role_holders.notice_deferred', tenant, err: error },
        'Directory is notified of a role later',
      ),
    );
  }

  async catchUp(signal: AbortSignal): Promise<void> {
    const untold = await this.#o.roleHolderStore.untoldHolders(this.#o.database.sql, atOnce);
    if (signal.aborted) return;
    // One tenant's trouble must not keep the others waiting.
    const outcomes = await Promise.allSettled(
      untold.map(({ tenant, subjectId }) => this.tell(tenant, subjectId)),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
