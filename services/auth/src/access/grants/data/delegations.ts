import { type Sql, statement } from '@ostiary/database';
import { type IdPage, isUuid, uuidv7 } from '@ostiary/service';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { defined, stretchOf } from '../../../platform/database/data/stretch.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import { fromSubject, isActive } from '../../../tenancy/users/data/subject-conditions.ts';
import { holdSubject } from '../../../tenancy/users/data/subjects.ts';
import type { DelegationFilter, DelegationList, DelegationSummary } from '../domain/delegation-list.ts';
import type { DelegationStore } from '../domain/delegation-store.ts';
import { endingDelegations } from './delegation-conditions.ts';
import { grantLives } from './grant-conditions.ts';

/**
 * Opens a delegation or extends it. The locks on user, agent and grant serialize the statement with their end: either
 * that end finds the delegation, or this statement finds nothing. They are taken in the order in which an offboarding
 * and a change of a client take them, so none of these waits for an exchange that waits for it.
 */
const open = statement({
  name: 'delegations.open',
  reason: 'atomic',
  text: `WITH basis AS (
       SELECT 1 ${fromSubject('s', '$tenant', '= $subjectId')} AND ${isActive('s')} AND s.epoch = $subjectEpoch FOR SHARE
     ), agent AS (
       SELECT 1 FROM basis, auth.clients c
        WHERE c.tenant = $tenant AND c.client_id = $clientId AND c.disabled_at IS NULL AND c.epoch = $clientEpoch
       FOR SHARE OF c
     ), permitted AS (
       SELECT g.id FROM agent, auth.grants g
        WHERE g.tenant = $tenant AND g.id = $grantId AND g.subject_id = $subjectId AND g.scopes @> $scopes
          AND g.revoked_at IS NULL AND g.expires_at > now()
       FOR SHARE OF g
     )
     INSERT INTO auth.delegations AS d (tenant, id, grant_id, client_id, subject_id, scopes, audiences)
     SELECT $tenant, $id, $grantId, $clientId, $subjectId, $scopes, $audiences FROM permitted
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

const partiesOf = statement({
  name: 'delegations.parties',
  reason: 'atomic',
  text: `SELECT subject_id AS "subjectId", client_id AS "clientId" FROM auth.delegations
          WHERE tenant = $tenant AND id = $id AND ended_at IS NULL`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { subjectId: 'uuid', clientId: 'text' },
});

const end = statement({
  name: 'delegations.end',
  reason: 'atomic',
  text: endingDelegations(`tenant = $tenant AND id = $id AND ${grantLives('delegations.grant_id')}`),
  parameters: { tenant: 'text', id: 'uuid' },
});

const endOfClient = statement({
  name: 'delegations.end_by_client',
  reason: 'set',
  text: `${endingDelegations('tenant = $tenant AND client_id = $clientId')} RETURNING id`,
  parameters: { tenant: 'text', clientId: 'text' },
  columns: { id: 'uuid' },
});

/** The concatenation forces the plan: a user has few delegations, an agent may have many. */
const endOfUserAndClient = statement({
  name: 'delegations.end_by_user_and_client',
  reason: 'set',
  text: `${endingDelegations("tenant = $tenant AND subject_id = $subjectId AND client_id || '' = $clientId")} RETURNING id`,
  parameters: { tenant: 'text', clientId: 'text', subjectId: 'uuid' },
  columns: { id: 'uuid' },
});

/** Ends the delegations to an agent. The caller locks the agent. @returns their ids */
export const endDelegationsTo = async (tx: Sql, tenant: string, clientId: string): Promise<string[]> =>
  (await endOfClient.rows(tx, { tenant, clientId })).map(({ id }) => id);

const holdAgent = statement({
  name: 'delegations.hold_agent',
  reason: 'atomic',
  text: 'SELECT FROM auth.clients WHERE tenant = $tenant AND client_id = $clientId FOR SHARE',
  parameters: { tenant: 'text', clientId: 'text' },
});

/** Locks an agent, so that its end and the end of one user's delegations to it do not deadlock. */
export async function holdAgentOfUser(tx: Sql, tenant: string, clientId: string): Promise<void> {
  await holdAgent.run(tx, { tenant, clientId });
}

/**
 * Stores ended delegations for the live grants without one, because the agent may have a token of another grant. Only a
 * client with the grant type of an exchange can be an agent.
 */
const bar = statement({
  name: 'delegations.bar',
  reason: 'set',
  text: `INSERT INTO auth.delegations (tenant, id, grant_id, client_id, subject_id, scopes, audiences, ended_at)
     SELECT g.tenant, gen_random_uuid(), g.id, c.client_id, g.subject_id, '{}', '{}', now()
       FROM auth.grants g, auth.clients c
      WHERE g.tenant = $tenant AND g.subject_id = $subjectId AND g.revoked_at IS NULL AND g.expires_at > now()
        AND c.tenant = $tenant AND c.client_id = $clientId
        AND 'urn:ietf:params:oauth:grant-type:token-exchange' = ANY(c.grant_types)
      ORDER BY g.id
     ON CONFLICT (grant_id, client_id, tenant) DO NOTHING`,
  parameters: { tenant: 'text', clientId: 'text', subjectId: 'uuid' },
});

/**
 * Ends the delegations of a user to an agent, which gets none under the other live grants of the user either. The
 * caller locks user and agent. @returns their ids
 */
export async function endDelegationsOfUser(
  tx: Sql,
  of: { tenant: string; subjectId: string; clientId: string },
): Promise<string[]> {
  const ended = await endOfUserAndClient.rows(tx, of);
  await bar.run(tx, of);
  return ended.map(({ id }) => id);
}

const forget = statement({
  name: 'delegations.forget_by_clients',
  reason: 'set',
  text: `DELETE FROM auth.delegations
          WHERE tenant = $tenant AND client_id = ANY($clientIds::text[]) AND ended_at IS NULL`,
  parameters: { tenant: 'text', clientIds: 'text[]' },
});

/**
 * Deletes the delegations to agents whose registration was narrowed. Those that ended stay, so that they do not begin
 * again. The caller locks the agents.
 */
export async function forgetDelegationsTo(
  tx: Sql,
  tenant: string,
  clientIds: readonly string[],
): Promise<void> {
  if (clientIds.length > 0) await forget.run(tx, { tenant, clientIds: [...clientIds] });
}

export const postgresDelegations: DelegationStore = {
  async open(tx: Sql, content) {
    // In the order in which later scopes and audiences are merged.
    const [scopes, audiences] = [content.scopes.toSorted(), content.audiences.toSorted()];
    return (await open.first(tx, { ...content, scopes, audiences, id: uuidv7() })) ?? undefined;
  },
  async end(tx: Sql, tenant, id) {
    const parties = isUuid(id) ? await partiesOf.first(tx, { tenant, id }) : undefined;
    if (!parties) return undefined;
    // Before the delegation, in the order of `open`.
    await holdSubject(tx, tenant, parties.subjectId);
    await holdAgentOfUser(tx, tenant, parties.clientId);
    if ((await end.count(tx, { tenant, id })) === 0) return undefined;
    await bar.run(tx, { tenant, ...parties });
    return parties;
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
