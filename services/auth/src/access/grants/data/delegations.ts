import { type Sql, statement } from '@ostiary/database';
import { type IdPage, isUuid, uuidv7 } from '@ostiary/service';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { defined, stretchOf } from '../../../platform/database/data/stretch.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import { fromSubject, isActive } from '../../../tenancy/users/data/subject-conditions.ts';
import type { DelegationFilter, DelegationList, DelegationSummary } from '../domain/delegation-list.ts';
import type { DelegationStore } from '../domain/delegation-store.ts';
import { endingDelegations } from './delegation-conditions.ts';
import { grantLives } from './grant-conditions.ts';

/**
 * Opens a delegation or extends it. The locks on user, grant and agent serialize the statement with their end: either
 * that end finds the delegation, or this statement finds nothing. They are taken in the order of an offboarding.
 */
const open = statement({
  name: 'delegations.open',
  reason: 'atomic',
  text: `WITH basis AS (
       SELECT 1 ${fromSubject('s', '$tenant', '= $subjectId')} AND ${isActive('s')} AND s.epoch = $subjectEpoch FOR SHARE
     ), permitted AS (
       SELECT g.id FROM basis, auth.grants g
        WHERE g.tenant = $tenant AND g.id = $grantId AND g.subject_id = $subjectId AND g.scopes @> $scopes
          AND g.revoked_at IS NULL AND g.expires_at > now()
       FOR SHARE OF g
     ), agent AS (
       SELECT 1 FROM permitted, auth.clients c
        WHERE c.tenant = $tenant AND c.client_id = $clientId AND c.disabled_at IS NULL AND c.epoch = $clientEpoch
       FOR SHARE OF c
     )
     INSERT INTO auth.delegations AS d (tenant, id, grant_id, client_id, subject_id, scopes, audiences)
     SELECT $tenant, $id, $grantId, $clientId, $subjectId, $scopes, $audiences FROM agent
     ON CONFLICT (grant_id, client_id, tenant) DO UPDATE SET
       scopes = ARRAY(SELECT DISTINCT unnest(d.scopes || excluded.scopes) ORDER BY 1),
       audiences = ARRAY(SELECT DISTINCT unnest(d.audiences || excluded.audiences) ORDER BY 1),
       last_used_at = now()
       WHERE d.ended_at IS NULL
     RETURNING d.id, d.id = $id AS opened`,
  parameters: {
    tenant: 'text',
    id: 'uuid',
    grantId: 'uuid',
    clientId: 'text',
    clientEpoch: 'int4',
    subjectId: 'uuid',
    subjectEpoch: 'int4',
    scopes: 'text[]',
    audiences: 'text[]',
  },
  columns: { id: 'uuid', opened: 'bool' },
});

const end = statement({
  name: 'delegations.end',
  reason: 'atomic',
  text: `${endingDelegations(`tenant = $tenant AND id = $id AND ${grantLives('delegations.grant_id')}`)}
         RETURNING subject_id AS "subjectId", client_id AS "clientId"`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { subjectId: 'uuid', clientId: 'text' },
});

const endOfClient = statement({
  name: 'delegations.end_by_client',
  reason: 'set',
  text: `${endingDelegations('tenant = $tenant AND client_id = $clientId AND ($subjectId::uuid IS NULL OR subject_id = $subjectId)')}
         RETURNING id`,
  parameters: { tenant: 'text', clientId: 'text', subjectId: 'uuid?' },
  columns: { id: 'uuid' },
});

/** Ends the delegations to an agent, of one user if given. The caller holds the agent or the user. @returns their ids */
export const endDelegationsTo = async (
  tx: Sql,
  tenant: string,
  clientId: string,
  subjectId?: string,
): Promise<string[]> => (await endOfClient.rows(tx, { tenant, clientId, subjectId })).map(({ id }) => id);

/**
 * Deletes the delegations to an agent whose registration was narrowed. Those that ended stay, so that they do not begin
 * again.
 */
export async function forgetDelegationsTo(tx: Connection, tenant: string, clientId: string): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.delegation.deleteMany({ where: { tenant, clientId, endedAt: null } });
}

export const postgresDelegations: DelegationStore = {
  async open(tx: Sql, content) {
    // In the order in which later scopes and audiences are merged.
    const [scopes, audiences] = [content.scopes.toSorted(), content.audiences.toSorted()];
    return (await open.first(tx, { ...content, scopes, audiences, id: uuidv7() })) ?? undefined;
  },
  async end(tx: Sql, tenant, id) {
    return isUuid(id) ? ((await end.first(tx, { tenant, id })) ?? undefined) : undefined;
  },
};

/** @see DelegationList */
export class PostgresDelegationList implements DelegationList {
  readonly #sql: Connection;

  constructor(sql: Connection) {
    this.#sql = sql;
  }

  async page(tenant: string, filter: DelegationFilter, page: IdPage): Promise<DelegationSummary[]> {
    if (!isUuidOrNone(filter.userId) || !isUuidOrNone(page.position)) return [];
    const { beyond, orderBy, take } = stretchOf(page, { newestFirst: true });
    const prisma = await this.#sql.prisma();
    const where = { ...filtered(tenant, filter), ...beyond };
    return prisma.delegation.findMany({ where, select: summary, orderBy, take });
  }

  async count(tenant: string, filter: DelegationFilter): Promise<number> {
    if (!isUuidOrNone(filter.userId)) return 0;
    return (await this.#sql.prisma()).delegation.count({ where: filtered(tenant, filter) });
  }

  async byIds(tenant: string, ids: readonly string[]): Promise<DelegationSummary[]> {
    const prisma = await this.#sql.prisma();
    return prisma.delegation.findMany({
      where: { tenant, id: { in: [...ids] }, ...live() },
      select: summary,
    });
  }
}

const isUuidOrNone = (id: string | undefined): boolean => id === undefined || isUuid(id);

/** A delegation lives no longer than its grant. */
const live = (): Prisma.DelegationWhereInput => ({
  endedAt: null,
  grant: { revokedAt: null, expiresAt: { gt: new Date() } },
});

const filtered = (tenant: string, { userId, clientId }: DelegationFilter): Prisma.DelegationWhereInput => ({
  tenant,
  ...live(),
  ...defined({ subjectId: userId, clientId }),
});

const summary = {
  id: true,
  grantId: true,
  clientId: true,
  subjectId: true,
  scopes: true,
  audiences: true,
  createdAt: true,
  lastUsedAt: true,
} satisfies Prisma.DelegationSelect;
