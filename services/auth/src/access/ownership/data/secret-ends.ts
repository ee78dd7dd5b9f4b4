import { type Sql, statement, typed } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import type { CredentialOwner } from '../domain/credential-owner.ts';
import type { SecretEnd, SecretKind } from '../domain/known-secret.ts';

const putOff = statement({
  name: 'secret_ends.put_off',
  reason: 'atomic',
  text: `INSERT INTO auth.secret_ends (tenant, kind, secret_id, knower_id, knower_kind, reason, actor, ends_at)
         VALUES ($tenant, $kind, $secretId, $knowerId, $knowerKind, $reason, $actor, $endsAt)
         ON CONFLICT (tenant, kind, secret_id, knower_id)
           DO UPDATE SET ends_at = least(secret_ends.ends_at, excluded.ends_at)
         RETURNING ends_at AS "endsAt"`,
  parameters: {
    tenant: 'text',
    kind: 'text',
    secretId: 'text',
    knowerId: 'uuid',
    knowerKind: 'text',
    reason: 'text',
    actor: typed<Actor>('jsonb'),
    endsAt: 'timestamptz',
  },
  columns: { endsAt: 'timestamptz' },
});

export async function endLater(tx: Sql, end: SecretEnd, endsAt: Date): Promise<Date> {
  const { tenant, kind, secretId, knower, reason, actor } = end;
  const row = await putOff.first(tx, {
    tenant,
    kind,
    secretId,
    knowerId: knower.id,
    knowerKind: knower.kind,
    reason,
    actor,
    endsAt,
  });
  return row?.endsAt ?? endsAt;
}

/**
 * Takes the due ends of one user or group, so that one transaction carries them out. Rows that another process has
 * locked are skipped.
 */
const takeDue = statement({
  name: 'secret_ends.take_due',
  reason: 'atomic',
  text: `WITH first AS (
           SELECT tenant, knower_id FROM auth.secret_ends WHERE ends_at <= now() ORDER BY ends_at LIMIT 1 FOR UPDATE SKIP LOCKED
         ), due AS (
           SELECT e.tenant, e.kind, e.secret_id, e.knower_id FROM auth.secret_ends e JOIN first USING (tenant, knower_id)
            WHERE e.ends_at <= now() FOR UPDATE OF e SKIP LOCKED
         )
         DELETE FROM auth.secret_ends e USING due
          WHERE e.tenant = due.tenant AND e.kind = due.kind AND e.secret_id = due.secret_id AND e.knower_id = due.knower_id
         RETURNING e.tenant, e.kind, e.secret_id AS "secretId", e.knower_id AS "knowerId", e.knower_kind AS "knowerKind", e.reason, e.actor`,
  columns: {
    tenant: 'text',
    kind: typed<SecretKind>('text'),
    secretId: 'text',
    knowerId: 'uuid',
    knowerKind: typed<CredentialOwner['kind']>('text'),
    reason: 'text',
    actor: typed<Actor>('jsonb'),
  },
});

export async function takeDueEnds(tx: Sql): Promise<SecretEnd[]> {
  const rows = await takeDue.rows(tx);
  return rows.map(({ knowerId, knowerKind, ...end }) => ({
    ...end,
    knower: { kind: knowerKind, id: knowerId },
  }));
}

/** Returns a statement that cancels the scheduled ends of a secret. @param secretId expression */
export const cancellingEnds = (kind: SecretKind, secretId: string): string =>
  `DELETE FROM auth.secret_ends WHERE tenant = $tenant AND kind = '${kind}' AND secret_id = ${secretId}`;
