import { type Database, type Parameters, type Sql, statement } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { NewRevocation } from '../../../tenancy/index.ts';
import type { GrantSummary, Grants } from '../domain/grant-revocation.ts';
import { endDelegationsOfUser, endDelegationsTo, holdAgentOfUser } from './delegations.ts';
import { endingFamilies, endingGrants } from './grant-conditions.ts';
import { grantOwner } from './grant-list.ts';

const offlineAccess = 'offline_access';

const hold = statement({
  name: 'grants.hold',
  reason: 'atomic',
  text: 'SELECT FROM auth.grants WHERE tenant = $tenant AND id = $grantId AND revoked_at IS NULL FOR SHARE',
  parameters: { tenant: 'text', grantId: 'uuid' },
});

/**
 * Locks a grant until the end of the transaction. Returns false if it is revoked: nothing may be created under it then.
 */
export async function holdGrant(tx: Sql, tenant: string, grantId: string): Promise<boolean> {
  return (await hold.count(tx, { tenant, grantId })) > 0;
}

/**
 * Revokes grants with their refresh families.
 * @param condition selects the grants of the tenant
 */
const revoking = <const P extends Parameters>(by: string, condition: string, parameters: P) =>
  statement({
    name: `grants.revoke_by_${by}`,
    reason: 'set',
    text: `WITH revoked AS (
         ${endingGrants(`tenant = $tenant AND ${condition}`)} RETURNING id, client_id
       ), families AS (
         ${endingFamilies('tenant = $tenant AND grant_id IN (SELECT id FROM revoked)')}
       )
       SELECT id, client_id AS "clientId" FROM revoked`,
    parameters,
    columns: { id: 'uuid', clientId: 'text' },
  });

const revokeOfSession = revoking('session', 'session_id = $sessionId', {
  tenant: 'text',
  sessionId: 'uuid',
});
const revokeOfClient = revoking('client', 'client_id = $clientId', { tenant: 'text', clientId: 'text' });
const revokeOfConsent = revoking('consent', 'subject_id = $subjectId AND client_id = $clientId', {
  tenant: 'text',
  subjectId: 'uuid',
  clientId: 'text',
});
const revokeOfResources = revoking(
  'resources',
  'subject_id = $subjectId AND resources && $resources::text[]',
  { tenant: 'text', subjectId: 'uuid', resources: 'text[]' },
);
const revokeOne = revoking('id', 'id = $grantId', { tenant: 'text', grantId: 'uuid' });

const endOfTenant = statement({
  name: 'tenants.end_grants',
  reason: 'set',
  text: endingGrants('tenant = $tenant'),
  parameters: { tenant: 'text' },
});

/** Revokes all grants of a tenant with their refresh tokens. */
export async function endGrantsOfTenant(tx: Connection, tenant: string): Promise<void> {
  await endOfTenant.run(tx, { tenant });
  const prisma = await tx.prisma();
  await prisma.refreshFamily.updateMany({
    where: { tenant, revokedAt: null },
    data: { revokedAt: new Date() },
  });
}

const ofRoleHolders = statement({
  name: 'grants.of_role_holders',
  reason: 'set',
  text: `SELECT g.id FROM auth.grants g
          WHERE g.tenant = $tenant AND g.revoked_at IS NULL AND g.expires_at > now()
            AND g.subject_id IN (SELECT subject_id FROM auth.role_assignments WHERE tenant = $tenant
                                 UNION SELECT subject_id FROM auth.group_role_holders WHERE tenant = $tenant)
            AND g.scopes && $scopes::text[] AND (g.acr IS NULL OR g.acr <> ALL($otherThan::text[]))
          ORDER BY g.id`,
  parameters: { tenant: 'text', scopes: 'text[]', otherThan: 'text[]' },
  columns: { id: 'uuid' },
});

/** Latest grants of each of many users. */
const ofSubjects = statement({
  name: 'grants.of_subjects',
  reason: 'set',
  text: `SELECT g.* FROM unnest($subjectIds::uuid[]) AS person CROSS JOIN LATERAL (
           SELECT id, client_id AS "clientId", subject_id AS "subjectId", session_id AS "sessionId", scopes,
                  created_at AS "createdAt", expires_at AS "expiresAt"
           FROM auth.grants
           WHERE tenant = $tenant AND subject_id = person AND revoked_at IS NULL AND expires_at > now()
           ORDER BY created_at DESC, id DESC LIMIT $most) g
         ORDER BY g."createdAt" DESC, g.id DESC`,
  parameters: { tenant: 'text', subjectIds: 'uuid[]', most: 'int8?' },
  columns: {
    id: 'uuid',
    clientId: 'text',
    subjectId: 'uuid',
    sessionId: 'uuid?',
    scopes: 'text[]!',
    createdAt: 'timestamptz',
    expiresAt: 'timestamptz',
  },
});

/** Revokes the personal access tokens that clients created under these grants; returns their ids. */
export type RevokeTokensOfGrants = (
  tx: Sql,
  tenant: string,
  grantIds: readonly string[],
) => Promise<string[]>;

/** Revokes and lists grants. A malformed id matches nothing. */
export class PostgresGrants implements Grants {
  readonly #sql: Sql;
  readonly #clock: () => number;
  readonly #tokenLifetime: number;
  readonly #revokeTokensOfGrants: RevokeTokensOfGrants;

  constructor(o: {
    database: Database<unknown>;
    /** Wall clock in milliseconds. */
    clock: () => number;
    /** Maximum lifetime in seconds of an access token of a grant. */
    tokenLifetime: number;
    revokeTokensOfGrants: RevokeTokensOfGrants;
  }) {
    this.#sql = o.database.sql;
    this.#clock = o.clock;
    this.#tokenLifetime = o.tokenLifetime;
    this.#revokeTokensOfGrants = o.revokeTokensOfGrants;
  }

  async revokeBySession(
    tx: Connection,
    tenant: string,
    sessionId: string,
    o: { keepOffline?: boolean } = {},
  ): Promise<NewRevocation[]> {
    if (!isUuid(sessionId)) return none;
    if (o.keepOffline) {
      const prisma = await tx.prisma();
      await prisma.grant.updateMany({
        where: { tenant, sessionId, revokedAt: null, scopes: { has: offlineAccess } },
        data: { sessionId: null },
      });
    }
    return this.#withTokens(tx, tenant, await revokeOfSession.rows(tx, { tenant, sessionId }));
  }

  async revokeByClient(tx: Sql, tenant: string, clientId: string): Promise<NewRevocation[]> {
    // Grants are locked before delegations, as by an offboarding.
    const ended = await this.#withTokens(tx, tenant, await revokeOfClient.rows(tx, { tenant, clientId }));
    const delegations = await endDelegationsTo(tx, tenant, clientId);
    return [...ended, ...delegations.map((id) => this.revocation(tenant, id))];
  }

  async revokeByConsent(
    tx: Sql,
    tenant: string,
    subjectId: string,
    clientId: string,
  ): Promise<NewRevocation[]> {
    if (!isUuid(subjectId)) return none;
    const of = { tenant, subjectId, clientId };
    await holdAgentOfUser(tx, tenant, clientId);
    const ended = await this.#withTokens(tx, tenant, await revokeOfConsent.rows(tx, of));
    const delegations = await endDelegationsOfUser(tx, of);
    return [...ended, ...delegations.map((id) => this.revocation(tenant, id))];
  }

  async revokeByResources(
    tx: Sql,
    tenant: string,
    subjectId: string,
    resources: readonly string[],
  ): Promise<{ entries: NewRevocation[]; clientIds: string[] }> {
    const rows = await revokeOfResources.rows(tx, { tenant, subjectId, resources });
    const clientIds = rows.map(({ clientId }) => clientId);
    return { entries: await this.#withTokens(tx, tenant, rows), clientIds };
  }

  async revoke(tx: Sql, tenant: string, grantId: string): Promise<NewRevocation[]> {
    if (!isUuid(grantId)) return none;
    return this.#withTokens(tx, tenant, await revokeOne.rows(tx, { tenant, grantId }));
  }

  ownerOf(
    tx: Connection,
    tenant: string,
    grantId: string,
  ): Promise<{ subjectId: string; clientId: string } | undefined> {
    return grantOwner(tx, tenant, grantId);
  }

  async grantsOfRoleHolders(
    tx: Sql,
    tenant: string,
    { scopes, otherThan }: { scopes: readonly string[]; otherThan: readonly string[] },
  ): Promise<string[]> {
    return (await ofRoleHolders.rows(tx, { tenant, scopes, otherThan })).map(({ id }) => id);
  }

  listBySubjects(tenant: string, subjectIds: readonly string[], most?: number): Promise<GrantSummary[]> {
    return ofSubjects.rows(this.#sql, { tenant, subjectIds: subjectIds.filter(isUuid), most });
  }

  /** Returns the feed entry that revokes the access tokens of a grant. It expires with the last of them. */
  revocation(tenant: string, grantId: string): NewRevocation {
    const expiresAt = Math.ceil(this.#clock() / 1000) + this.#tokenLifetime;
    return { tenant, kind: 'grant', key: grantId, expiresAt };
  }

  /** Revokes the tokens that clients created under these grants, and returns the feed entries of grants and tokens. */
  async #withTokens(tx: Sql, tenant: string, rows: readonly { id: string }[]): Promise<NewRevocation[]> {
    if (rows.length === 0) return [];
    const grantIds = rows.map(({ id }) => id);
    // A separate statement: a token that was created while this transaction waited for the grant's row is visible only
    // to the next statement.
    const tokens = await this.#revokeTokensOfGrants(tx, tenant, grantIds);
    return [
      ...grantIds.map((id) => this.revocation(tenant, id)),
      ...tokens.map((id) => ({ ...this.revocation(tenant, id), kind: 'jti' as const })),
    ];
  }
}

const none: NewRevocation[] = [];
