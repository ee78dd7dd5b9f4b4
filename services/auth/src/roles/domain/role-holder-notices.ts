import type { Database } from '@ostiary/database';
import { type HttpPeer, type Logger, ServiceUnavailable } from '@ostiary/service';
import { lockHolder, noteHolderTold, ownRolesOf, untoldHolders } from '../data/role-holders-told.ts';
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

export function createRoleHolderNotices(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  directory: HttpPeer;
  log: Logger;
}): RoleHolderNotices {
  async function tell(tenant: string, subjectId: string): Promise<void> {
    await o.database.transaction(async (tx) => {
      const version = await lockHolder(tx, tenant, subjectId);
      if (version === undefined) return;
      const roles = await ownRolesOf(tx, tenant, subjectId);
      const { status } = await o.directory.request<unknown>({
        method: 'PUT',
        path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/${encodeURIComponent(subjectId)}/privilege`,
        body: { scopes: [...new Set(scopesToActOn(roles))], version },
        timeoutMs,
      });
      // 404: it has no such tenant (any more), and so nobody to protect.
      if (status !== 204 && status !== 404)
        throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
      await noteHolderTold(tx, tenant, subjectId, roles.length > 0);
    });
  }
  return {
    tell,
    follow: (tenant, subjectId) =>
      tell(tenant, subjectId).catch((error) =>
        o.log.warn({ tenant, err: error }, 'the directory hears of a role later'),
      ),
    async catchUp(signal) {
      const untold = await untoldHolders(o.database.sql, atOnce);
      if (signal.aborted) return;
      // One tenant's trouble must not keep the others waiting.
      const outcomes = await Promise.allSettled(
        untold.map(({ tenant, subjectId }) => tell(tenant, subjectId)),
      );
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}
