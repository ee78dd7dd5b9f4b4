import { type HttpPeer, type Logger, ServiceUnavailable, type Transactions } from '@ostiary/service';
import type { RoleHolderStore } from './role-holder-store.ts';
import { scopesToActOn } from './roles.ts';

/** Timeout in milliseconds; a user may be waiting. */
const timeoutMs = 2_000;
/** Maximum number of users per run. */
const batchSize = 20;

export interface RoleHolderNoticesOptions {
  database: Transactions;
  directory: HttpPeer;
  roleHolderStore: RoleHolderStore;
  log: Logger;
}

/**
 * Notifies the directory of role holders and of the scopes required to assign their roles. With them the directory
 * protects identifying attributes of these users, even while this service is unavailable. A trigger in the database
 * records pending notices with each change of a role.
 */
export class DirectoryRoleHolderNotices {
  readonly #o: RoleHolderNoticesOptions;

  constructor(options: RoleHolderNoticesOptions) {
    this.#o = options;
  }

  /** Notifies the directory of a user. @throws ServiceUnavailable */
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
      // 404: the tenant does not exist or was deleted, so there is no user to protect.
      if (status !== 204 && status !== 404)
        throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
      await roleHolderStore.noteHolderNotified(tx, tenant, subjectId, roles.length > 0);
    });
  }

  /** Notifies the directory immediately after a change. The job retries failures. */
  async follow(tenant: string, subjectId: string): Promise<void> {
    await this.tell(tenant, subjectId).catch((error) =>
      this.#o.log.warn(
        { event: 'role_holders.notice_deferred', tenant, err: error },
        'Directory could not be notified of a role; retrying',
      ),
    );
  }

  /** Sends all pending notices. @throws ServiceUnavailable */
  async catchUp(signal: AbortSignal): Promise<void> {
    const unnotified = await this.#o.roleHolderStore.unnotifiedHolders(this.#o.database.sql, batchSize);
    if (signal.aborted) return;
    // A failure of one tenant does not delay the others.
    const outcomes = await Promise.allSettled(
      unnotified.map(({ tenant, subjectId }) => this.tell(tenant, subjectId)),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }
}
