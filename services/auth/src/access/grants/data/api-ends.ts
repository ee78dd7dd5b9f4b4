import { type Sql, statement } from '@ostiary/database';
import { forgetDelegationsTo } from './delegations.ts';
import { endingFamilies, endingGrants } from './grant-conditions.ts';

/** Scopes and audiences of APIs that end. */
export interface EndedOfApi {
  scopes: readonly string[];
  /** Every form of the audience. */
  resources: readonly string[];
}

/** Returns an array without the values of a parameter, in its order. @param column expression */
export const without = (column: string, parameter: '$scopes' | '$resources'): string =>
  `ARRAY(SELECT kept.value FROM unnest(${column}) WITH ORDINALITY kept(value, position)
          WHERE kept.value <> ALL(${parameter}::text[]) ORDER BY kept.position)`;

const isLive = "g.revoked_at IS NULL AND g.expires_at > now() - interval '5 minutes'";

/** Grants that were given for nothing but the ended audiences. */
const endOfGrants = statement({
  name: 'grants.end_for_resources',
  reason: 'set',
  text: `WITH revoked AS (
       ${endingGrants("tenant = $tenant AND resources <@ $resources::text[] AND resources <> '{}'")}
       RETURNING id, subject_id, client_id
     ), families AS (
       ${endingFamilies('tenant = $tenant AND grant_id IN (SELECT id FROM revoked)')}
     )
     SELECT id, subject_id AS "subjectId", client_id AS "clientId" FROM revoked`,
  parameters: { tenant: 'text', resources: 'text[]' },
  columns: { id: 'uuid', subjectId: 'uuid', clientId: 'text' },
});

/** Moves the grants of changed clients to their next epoch, as for any narrowed registration. */
const narrowGrants = statement({
  name: 'grants.narrow_to_remaining_scopes',
  reason: 'set',
  text: `UPDATE auth.grants g
        SET scopes = ${without('g.scopes', '$scopes')}, resources = ${without('g.resources', '$resources')},
            client_epoch = COALESCE((SELECT c.epoch FROM unnest($clientIds::text[], $epochs::int[]) AS c(id, epoch)
                                      WHERE c.id = g.client_id AND c.epoch = g.client_epoch + 1), g.client_epoch)
      WHERE g.tenant = $tenant AND ${isLive}
        AND (g.client_id = ANY($clientIds) OR g.scopes && $scopes OR g.resources && $resources)`,
  parameters: {
    tenant: 'text',
    scopes: 'text[]',
    resources: 'text[]',
    clientIds: 'text[]',
    epochs: 'int4[]',
  },
});

/** Includes consents to clients that lost the scope before. A consent without scopes is revoked. */
const narrowConsents = statement({
  name: 'consents.narrow_to_remaining_scopes',
  reason: 'set',
  text: `UPDATE auth.consents c
        SET scopes = ${without('c.scopes', '$scopes')},
            revoked_at = CASE WHEN c.scopes <@ $scopes THEN now() END
      WHERE c.tenant = $tenant AND c.revoked_at IS NULL AND c.scopes && $scopes`,
  parameters: { tenant: 'text', scopes: 'text[]' },
});

/**
 * Removes ended scopes and audiences from grants and consents of a tenant, and revokes grants for these audiences only.
 * Deletes the delegations to changed agents.
 * @param clients changed clients with their new epochs, locked by the caller
 * @returns the revoked grants
 */
export async function endForApi(
  tx: Sql,
  tenant: string,
  { scopes, resources }: EndedOfApi,
  clients: readonly { clientId: string; epoch: number }[],
): Promise<{ id: string; subjectId: string; clientId: string }[]> {
  const ended = resources.length === 0 ? [] : await endOfGrants.rows(tx, { tenant, resources });
  const clientIds = clients.map(({ clientId }) => clientId);
  await narrowGrants.run(tx, {
    tenant,
    scopes,
    resources,
    clientIds,
    epochs: clients.map(({ epoch }) => epoch),
  });
  await forgetDelegationsTo(tx, tenant, clientIds);
  await narrowConsents.run(tx, { tenant, scopes });
  return ended;
}
