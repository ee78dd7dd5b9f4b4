import { statement } from '@ostiary/database';
import { keepingGrants } from '../../access/grants/data/grant-conditions.ts';
import { knownIn, ofKnower, ownedOf } from '../../access/ownership/data/known-programs.ts';
import type { OwnedClients } from '../../access/ownership/data/owned-clients.ts';
import { endingOwners, ofOwner, ownedBy } from '../../access/ownership/data/owned-statements.ts';
import type { Connection } from '../../platform/database/data/connection.ts';

const live = statement({
  name: 'credential_owners.live_clients',
  reason: 'atomic',
  text: `SELECT x.client_id AS id FROM auth.clients x ${ownedBy('client', 'x.client_id')}
          WHERE x.tenant = $tenant AND x.disabled_at IS NULL ORDER BY 1 FOR UPDATE OF x`,
  parameters: ofOwner,
  columns: { id: 'text' },
});

const ofClient = 'WHERE w.tenant = x.tenant AND w.client_id = x.client_id';

const dormant = statement({
  name: 'credential_owners.dormant_clients',
  reason: 'atomic',
  text: `SELECT x.client_id AS id FROM auth.clients x ${ownedBy('client', 'x.client_id')}
          WHERE x.tenant = $tenant AND x.disabled_at IS NOT NULL
            AND (EXISTS (SELECT FROM auth.client_secrets w ${ofClient})
              OR EXISTS (SELECT FROM auth.client_registrations w ${ofClient})
              OR x.metadata->'jwks' IS NOT NULL OR x.metadata->'jwks_uri' IS NOT NULL)
          ORDER BY 1 FOR UPDATE OF x`,
  parameters: ofOwner,
  columns: { id: 'text' },
});

/**
 * Locks all clients in one order, before their secrets: two users who are offboarded concurrently may each know a
 * secret of the other's program.
 */
const holdClients = statement({
  name: 'known_secrets.hold_clients',
  reason: 'atomic',
  text: `SELECT c.client_id AS id FROM auth.clients c
          WHERE c.tenant = $tenant AND (c.client_id IN (
                 ${knownIn('auth.client_secrets', 'client_id')} UNION ${knownIn('auth.client_registrations', 'client_id')} UNION ${ownedOf('client')})
             OR c.keys_known_to @> ARRAY[$knowerId::uuid])
          ORDER BY c.client_id FOR UPDATE OF c`,
  parameters: ofKnower,
  columns: { id: 'text' },
});

const holdForTransfer = statement({
  name: 'clients.hold_for_transfer',
  reason: 'atomic',
  text: 'SELECT scopes, version FROM auth.clients WHERE tenant = $tenant AND client_id = $id FOR UPDATE',
  parameters: { tenant: 'text', id: 'text' },
  columns: { scopes: 'text[]!', version: 'int4' },
});

/** A grant that a concurrent transaction writes has the previous epoch, so it is invalid. */
const nextEpoch = statement({
  name: 'known_secrets.next_client_epoch',
  reason: 'atomic',
  text: `WITH changed AS (
           UPDATE auth.clients SET epoch = epoch + 1, version = version + 1, updated_at = now()
            WHERE tenant = $tenant AND client_id = $id RETURNING epoch
         ), kept AS (
           ${keepingGrants('changed')}
         )
         SELECT epoch FROM changed`,
  parameters: { tenant: 'text', id: 'text' },
  columns: { epoch: 'int4' },
});

const disableClient = statement({
  name: 'credential_owners.disable_client',
  reason: 'atomic',
  text: `UPDATE auth.clients SET disabled_at = coalesce(disabled_at, now()), epoch = epoch + 1, version = version + 1,
                updated_at = now(), metadata = CASE WHEN $forGood THEN metadata - 'jwks' - 'jwks_uri' ELSE metadata END
          WHERE tenant = $tenant AND client_id = $clientId RETURNING epoch`,
  parameters: { tenant: 'text', clientId: 'text', forGood: 'bool' },
  columns: { epoch: 'int4' },
});

const endTokens = statement({
  name: 'credential_owners.end_initial_access_tokens',
  reason: 'atomic',
  text: `WITH owned AS (
           ${endingOwners('initial_access_token')}
         )
         DELETE FROM auth.initial_access_tokens t USING owned
          WHERE t.tenant = $tenant AND t.id::text = owned.credential_id
         RETURNING t.id, t.name, t.uses_left > 0 AND t.expires_at > now() AS live`,
  parameters: ofOwner,
  columns: { id: 'uuid', name: 'text', live: 'bool' },
});

async function disable(tx: Connection, tenant: string, clientId: string, forGood: boolean): Promise<number> {
  const disabled = await disableClient.first(tx, { tenant, clientId, forGood });
  if (forGood) {
    const prisma = await tx.prisma();
    await prisma.clientSecret.deleteMany({ where: { tenant, clientId } });
    await prisma.clientRegistration.deleteMany({ where: { tenant, clientId } });
  }
  return disabled?.epoch ?? 0;
}

const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

/** @see OwnedClients */
export const ownedClients: OwnedClients = {
  epochs: [
    'SELECT epoch FROM auth.clients WHERE tenant = $tenant AND client_id = $id',
    'SELECT 0 FROM auth.initial_access_tokens WHERE tenant = $tenant AND id = $uuid',
  ],
  live: async (tx, tenant, ownerId) => ids(await live.rows(tx, { tenant, ownerId })),
  dormant: async (tx, tenant, ownerId) => ids(await dormant.rows(tx, { tenant, ownerId })),
  hold: async (tx, tenant, knowerId) => void (await holdClients.rows(tx, { tenant, knowerId })),
  holdForTransfer: (tx, tenant, id) => holdForTransfer.first(tx, { tenant, id }),
  async advanceVersion(tx, tenant, clientId) {
    const prisma = await tx.prisma();
    await prisma.client.updateMany({
      where: { tenant, clientId },
      data: { version: { increment: 1 }, updatedAt: new Date() },
    });
  },
  nextEpoch: async (tx, tenant, id) => (await nextEpoch.first(tx, { tenant, id }))?.epoch,
  disable,
  async endInitialAccessTokens(tx, tenant, ownerId) {
    const rows = await endTokens.rows(tx, { tenant, ownerId });
    return rows.filter(({ live }) => live);
  },
};
