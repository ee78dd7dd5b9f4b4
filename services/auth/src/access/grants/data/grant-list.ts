import { type IdPage, isUuid } from '@ostiary/service';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { defined, stretchOf } from '../../../platform/database/data/stretch.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import type { GrantFilter, GrantList } from '../domain/grant-list.ts';
import type { GrantSummary } from '../domain/grant-revocation.ts';

/** @see GrantList */
export class PostgresGrantList implements GrantList {
  readonly #sql: Connection;

  constructor(sql: Connection) {
    this.#sql = sql;
  }

  async page(tenant: string, filter: GrantFilter, page: IdPage): Promise<GrantSummary[]> {
    const where = liveGrants(tenant, filter);
    if (!where || !isUuidOrNone(page.position)) return [];
    const { beyond, orderBy, take } = stretchOf(page, { newestFirst: true });
    const prisma = await this.#sql.prisma();
    return prisma.grant.findMany({ where: { ...where, ...beyond }, select: summary, orderBy, take });
  }

  async count(tenant: string, filter: GrantFilter): Promise<number> {
    const where = liveGrants(tenant, filter);
    return where ? (await this.#sql.prisma()).grant.count({ where }) : 0;
  }

  /** Returns those of the grants that are live. */
  async byIds(tenant: string, ids: readonly string[]): Promise<GrantSummary[]> {
    const prisma = await this.#sql.prisma();
    return prisma.grant.findMany({ where: { tenant, id: { in: [...ids] }, ...live() }, select: summary });
  }

  owner(tenant: string, grantId: string): Promise<{ subjectId: string; clientId: string } | undefined> {
    return grantOwner(this.#sql, tenant, grantId);
  }
}

const isUuidOrNone = (id: string | undefined): boolean => id === undefined || isUuid(id);

const live = (): Prisma.GrantWhereInput => ({ revokedAt: null, expiresAt: { gt: new Date() } });

/** Undefined if an id in the filter is malformed, which no grant can have. */
function liveGrants(
  tenant: string,
  { userId, sessionId, clientId }: GrantFilter,
): Prisma.GrantWhereInput | undefined {
  if (!isUuidOrNone(userId) || !isUuidOrNone(sessionId)) return undefined;
  return { tenant, ...live(), ...defined({ subjectId: userId, sessionId, clientId }) };
}

const summary = {
  id: true,
  clientId: true,
  subjectId: true,
  sessionId: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
} satisfies Prisma.GrantSelect;

export async function grantOwner(
  sql: Connection,
  tenant: string,
  grantId: string,
): Promise<{ subjectId: string; clientId: string } | undefined> {
  if (!isUuid(grantId)) return undefined;
  const prisma = await sql.prisma();
  const grant = await prisma.grant.findUnique({
    where: { tenant_id: { tenant, id: grantId }, ...live() },
    select: { subjectId: true, clientId: true },
  });
  return grant ?? undefined;
}
