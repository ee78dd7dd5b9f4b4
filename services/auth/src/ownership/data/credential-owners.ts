import type { Sql } from '@ostiary/database';
import { idToLookUp } from '@ostiary/service';
import type { Conditions } from '../../database/data/index.ts';
import type {
  CredentialOwner,
  CredentialOwnerStore,
  CredentialOwners,
  OwnedKind,
  OwnerFilter,
  StoredKind,
} from '../domain/credential-owner.ts';

/** Adds what a filter says of owners. @param credentialId the column, in the list's own statement with the tenant as `$1` */
export function narrowToOwner(
  where: Conditions,
  kind: OwnedKind,
  credentialId: string,
  { ownerId, hasOwner }: OwnerFilter,
): void {
  const owned = `FROM auth.credential_owners o WHERE o.tenant = $1 AND o.kind = '${kind}' AND o.credential_id = ${credentialId}`;
  if (hasOwner !== undefined) where.state(`${hasOwner ? '' : 'NOT '}EXISTS (SELECT ${owned})`);
  if (ownerId === undefined) return;
  // What can't be an id owns as much as an id that nobody has.
  where.add(
    (id) => `EXISTS (SELECT ${owned} AND o.owner_id = ${id}::uuid)`,
    idToLookUp(ownerId.toLowerCase()),
  );
}

export async function setOwner(
  tx: Sql,
  tenant: string,
  kind: StoredKind,
  credentialId: string,
  owner: CredentialOwner | null | undefined,
): Promise<void> {
  if (!owner) {
    await tx.query(
      'DELETE FROM auth.credential_owners WHERE tenant = $1 AND kind = $2 AND credential_id = $3',
      [tenant, kind, credentialId],
    );
    return;
  }
  await tx.query(
    `INSERT INTO auth.credential_owners (tenant, kind, credential_id, owner_kind, owner_id) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant, kind, credential_id) DO UPDATE
       SET owner_kind = excluded.owner_kind, owner_id = excluded.owner_id, updated_at = now()`,
    [tenant, kind, credentialId, owner.kind, owner.id],
  );
}

export async function ownersOf(
  sql: Sql,
  tenant: string,
  kind: StoredKind,
  credentialIds: readonly string[],
): Promise<Map<string, CredentialOwner>> {
  const { rows } = await sql.query<CredentialOwner & { credentialId: string }>(
    `SELECT credential_id AS "credentialId", owner_kind AS kind, owner_id AS id FROM auth.credential_owners
      WHERE tenant = $1 AND kind = $2 AND credential_id = ANY($3::text[])`,
    [tenant, kind, [...credentialIds]],
  );
  return new Map(rows.map(({ credentialId, ...owner }) => [credentialId, owner]));
}

export async function ownsAnything(
  tx: Sql,
  tenant: string,
  owner: CredentialOwner,
): Promise<{ here: boolean; connectors: boolean }> {
  const { rows } = await tx.query<{ here: boolean; connectors: boolean }>(
    `SELECT EXISTS (SELECT FROM auth.credential_owners WHERE tenant = $1 AND owner_id = $2) AS here,
            EXISTS (SELECT FROM auth.connector_owners WHERE tenant = $1 AND owner_id = $2) AS connectors`,
    [tenant, owner.id],
  );
  return rows[0] ?? { here: false, connectors: false };
}

export async function lockGroupOwner(tx: Sql, tenant: string, groupId: string): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `credential_owners/${tenant}/${groupId}`,
  ]);
}

export async function liveOwned(
  tx: Sql,
  tenant: string,
  owner: CredentialOwner,
  kinds: readonly OwnedKind[],
): Promise<Record<OwnedKind, string[]>> {
  const owned = async (kind: OwnedKind, live: string): Promise<string[]> => {
    if (!kinds.includes(kind)) return [];
    const { rows } = await tx.query<{ id: string }>(live, [tenant, kind, owner.id]);
    return rows.map(({ id }) => id);
  };
  const ownedBy = `JOIN auth.credential_owners o ON o.tenant = x.tenant AND o.kind = $2 AND o.owner_id = $3`;
  return {
    client: await owned(
      'client',
      `SELECT x.client_id AS id FROM auth.clients x ${ownedBy} AND o.credential_id = x.client_id
        WHERE x.tenant = $1 AND x.disabled_at IS NULL ORDER BY 1 FOR UPDATE OF x`,
    ),
    service_account: await owned(
      'service_account',
      `SELECT x.id FROM auth.service_accounts x ${ownedBy} AND o.credential_id = x.id::text
        WHERE x.tenant = $1 AND x.disabled_at IS NULL ORDER BY 1 FOR NO KEY UPDATE OF x`,
    ),
    api_key: await owned(
      'api_key',
      `SELECT x.id FROM auth.api_tokens x ${ownedBy} AND o.credential_id = x.id::text
        WHERE x.tenant = $1 AND x.service_account_id IS NOT NULL AND x.revoked_at IS NULL AND x.expires_at > now()
        ORDER BY 1 FOR UPDATE OF x`,
    ),
  };
}

export async function dormantOwned(
  tx: Sql,
  tenant: string,
  owner: CredentialOwner,
  kinds: readonly OwnedKind[],
): Promise<{ client: string[]; service_account: string[] }> {
  const owned = async (kind: OwnedKind, dormant: string): Promise<string[]> => {
    if (!kinds.includes(kind)) return [];
    const { rows } = await tx.query<{ id: string }>(dormant, [tenant, kind, owner.id]);
    return rows.map(({ id }) => id);
  };
  const ownedBy = `JOIN auth.credential_owners o ON o.tenant = x.tenant AND o.kind = $2 AND o.owner_id = $3`;
  const ofClient = 'WHERE w.tenant = x.tenant AND w.client_id = x.client_id';
  const ofAccount = 'WHERE w.tenant = x.tenant AND w.service_account_id = x.id';
  return {
    client: await owned(
      'client',
      `SELECT x.client_id AS id FROM auth.clients x ${ownedBy} AND o.credential_id = x.client_id
        WHERE x.tenant = $1 AND x.disabled_at IS NOT NULL
          AND (EXISTS (SELECT FROM auth.client_secrets w ${ofClient}) OR EXISTS (SELECT FROM auth.client_registrations w ${ofClient})
            OR x.metadata->'jwks' IS NOT NULL OR x.metadata->'jwks_uri' IS NOT NULL)
        ORDER BY 1 FOR UPDATE OF x`,
    ),
    service_account: await owned(
      'service_account',
      `SELECT x.id FROM auth.service_accounts x ${ownedBy} AND o.credential_id = x.id::text
        WHERE x.tenant = $1 AND x.disabled_at IS NOT NULL
          AND (EXISTS (SELECT FROM auth.service_account_keys w ${ofAccount})
            OR EXISTS (SELECT FROM auth.api_tokens w ${ofAccount} AND w.revoked_at IS NULL))
        ORDER BY 1 FOR NO KEY UPDATE OF x`,
    ),
  };
}

export async function endInitialAccessTokens(
  tx: Sql,
  tenant: string,
  owner: CredentialOwner,
): Promise<{ id: string; name: string }[]> {
  const { rows } = await tx.query<{ id: string; name: string; live: boolean }>(
    `WITH owned AS (
       DELETE FROM auth.credential_owners WHERE tenant = $1 AND kind = 'initial_access_token' AND owner_id = $2
       RETURNING credential_id
     )
     DELETE FROM auth.initial_access_tokens t USING owned WHERE t.tenant = $1 AND t.id::text = owned.credential_id
     RETURNING t.id, t.name, t.uses_left > 0 AND t.expires_at > now() AS live`,
    [tenant, owner.id],
  );
  return rows.filter(({ live }) => live);
}

export async function ownerOfInitialAccessToken(
  tx: Sql,
  tenant: string,
  digest: Buffer,
): Promise<CredentialOwner | null> {
  const { rows } = await tx.query<CredentialOwner>(
    `SELECT o.owner_kind AS kind, o.owner_id AS id FROM auth.initial_access_tokens t
       JOIN auth.credential_owners o
         ON o.tenant = t.tenant AND o.kind = 'initial_access_token' AND o.credential_id = t.id::text
      WHERE t.tenant = $1 AND t.digest = $2`,
    [tenant, digest],
  );
  return rows[0] ?? null;
}

export async function handOver(
  tx: Sql,
  tenant: string,
  kind: OwnedKind,
  credentialIds: readonly string[],
  to: CredentialOwner,
): Promise<void> {
  await tx.query(
    `UPDATE auth.credential_owners SET owner_kind = $4, owner_id = $5, updated_at = now()
      WHERE tenant = $1 AND kind = $2 AND credential_id = ANY($3::text[])`,
    [tenant, kind, [...credentialIds], to.kind, to.id],
  );
}

export async function successorOf(
  sql: Sql,
  tenant: string,
  id: string,
): Promise<CredentialOwner | undefined> {
  // Held, so that their own departure comes before, or finds what they were given.
  const { rows } = await sql.query<{ active: boolean }>(
    'SELECT active AND NOT deleted AS active FROM auth.subjects WHERE tenant = $1 AND id = $2 FOR NO KEY UPDATE',
    [tenant, id],
  );
  if (!rows[0]) return { kind: 'group', id };
  return rows[0].active ? { kind: 'user', id } : undefined;
}

export async function disableOwnedClient(
  tx: Sql,
  tenant: string,
  clientId: string,
  forGood: boolean,
): Promise<number> {
  const { rows } = await tx.query<{ epoch: number }>(
    `UPDATE auth.clients SET disabled_at = coalesce(disabled_at, now()), epoch = epoch + 1, version = version + 1, updated_at = now(),
            metadata = CASE WHEN $3 THEN metadata - 'jwks' - 'jwks_uri' ELSE metadata END
      WHERE tenant = $1 AND client_id = $2 RETURNING epoch`,
    [tenant, clientId, forGood],
  );
  if (forGood) {
    for (const table of ['client_secrets', 'client_registrations'])
      await tx.query(`DELETE FROM auth.${table} WHERE tenant = $1 AND client_id = $2`, [tenant, clientId]);
  }
  return rows[0]?.epoch ?? 0;
}

export async function disableOwnedAccount(
  tx: Sql,
  tenant: string,
  id: string,
  forGood: boolean,
): Promise<{ epoch: number; apiKeys: string[] }> {
  const { rows } = await tx.query<{ epoch: number }>(
    `UPDATE auth.service_accounts SET disabled_at = coalesce(disabled_at, now()), epoch = epoch + 1, version = version + 1, updated_at = now()
      WHERE tenant = $1 AND id = $2 RETURNING epoch`,
    [tenant, id],
  );
  const epoch = rows[0]?.epoch ?? 0;
  if (!forGood) return { epoch, apiKeys: [] };
  await tx.query('DELETE FROM auth.service_account_keys WHERE tenant = $1 AND service_account_id = $2', [
    tenant,
    id,
  ]);
  const ended = await tx.query<{ id: string }>(
    `UPDATE auth.api_tokens SET revoked_at = now()
      WHERE tenant = $1 AND service_account_id = $2 AND revoked_at IS NULL RETURNING id`,
    [tenant, id],
  );
  return { epoch, apiKeys: ended.rows.map((row) => row.id) };
}

export const postgresCredentialOwners: CredentialOwnerStore = {
  setOwner,
  ownersOf,
  ownsAnything,
  lockGroupOwner,
  liveOwned,
  dormantOwned,
  endInitialAccessTokens,
  ownerOfInitialAccessToken,
  handOver,
  successorOf,
  disableOwnedClient,
  disableOwnedAccount,
};

/** @see CredentialOwners */
export class PostgresCredentialOwners implements CredentialOwners {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  of(
    tenant: string,
    kind: OwnedKind,
    credentialIds: readonly string[],
  ): Promise<Map<string, CredentialOwner>> {
    return ownersOf(this.#sql, tenant, kind, credentialIds);
  }
}
