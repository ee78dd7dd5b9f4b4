import { createHash } from 'node:crypto';
import { statement } from '@ostiary/database';
import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import type { Connection } from '../../database/data/database.ts';
import type { AdministratorIds, Administrators } from '../domain/administrators.ts';

const note = statement({
  name: 'administrators.note',
  reason: 'atomic',
  text: `INSERT INTO provisioning.known_administrators AS k (tenant, users, groups)
         VALUES ($tenant, $users, $groups)
         ON CONFLICT (tenant) DO UPDATE SET users = excluded.users, groups = excluded.groups, noted_at = now()
          WHERE (k.users, k.groups) IS DISTINCT FROM (excluded.users, excluded.groups)`,
  parameters: { tenant: 'text', users: 'text[]', groups: 'text[]' },
});

/**
 * The routes for roles on the authorization server's internal REST surface. They are called each time, because roles
 * change. The last response is stored for times of unavailability.
 */
export class RemoteAdministrators implements Administrators {
  readonly #peer: HttpPeer;
  readonly #sql: Connection;
  /** Digests by tenant, so that an unchanged response is not written again. */
  readonly #noted = new Map<string, string>();

  constructor(peer: HttpPeer, sql: Connection) {
    this.#peer = peer;
    this.#sql = sql;
  }

  async of(tenant: string): Promise<AdministratorIds> {
    const { status, body } = await this.#peer.request<{ subjects?: unknown; groups?: unknown }>({
      method: 'GET',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/administrators`,
    });
    if (status !== 200 || !Array.isArray(body.subjects)) {
      throw new ServiceUnavailable('auth', { cause: `answered ${status}` });
    }
    // A release from before groups could have roles sends none.
    const groups = Array.isArray(body.groups) ? (body.groups as string[]) : [];
    const ids = { users: body.subjects as string[], groups };
    await this.#note(tenant, ids);
    return ids;
  }

  async lastKnown(tenant: string): Promise<AdministratorIds> {
    const prisma = await this.#sql.prisma();
    const known = await prisma.knownAdministrators.findUnique({
      where: { tenant },
      select: { users: true, groups: true },
    });
    return known ?? { users: [], groups: [] };
  }

  async #note(tenant: string, ids: AdministratorIds): Promise<void> {
    const digest = createHash('sha256').update(JSON.stringify(ids)).digest('base64url');
    if (this.#noted.get(tenant) === digest) return;
    await note.run(this.#sql, { tenant, users: ids.users, groups: ids.groups });
    this.#noted.set(tenant, digest);
  }
}
