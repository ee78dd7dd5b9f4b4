import { statement } from '@ostiary/database';
import type { Connection } from '../../database/data/database.ts';
import type { ConnectorKey } from '../domain/connector.ts';
import type { ConnectorTokenStore } from '../domain/connector-store.ts';

/** Keeping one live token and revoking the others is one statement. */
const keepNewestToken = statement({
  name: 'connectorTokens.keepNewest',
  reason: 'atomic',
  text: `WITH live AS (
           SELECT id, row_number() OVER (ORDER BY id DESC) AS age FROM provisioning.connector_tokens
            WHERE tenant = $tenant AND connector_id = $connectorId AND revoked_at IS NULL
              AND (expires_at IS NULL OR expires_at > now())
         ), revoked AS (
           UPDATE provisioning.connector_tokens t SET revoked_at = now()
             FROM live WHERE t.tenant = $tenant AND t.id = live.id AND (live.age > 1 OR $seconds::int = 0)
         )
         UPDATE provisioning.connector_tokens t
            SET expires_at = least(t.expires_at, now() + make_interval(secs => $seconds::int))
           FROM live WHERE t.tenant = $tenant AND t.id = live.id AND live.age = 1 AND $seconds::int > 0
         RETURNING t.id, t.expires_at AS "expiresAt"`,
  parameters: { tenant: 'text', connectorId: 'uuid', seconds: 'int4' },
  columns: { id: 'uuid', expiresAt: 'timestamptz!' },
});

const accepted = () => ({
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
});

async function add(tx: Connection, token: Parameters<ConnectorTokenStore['add']>[1]): Promise<void> {
  const prisma = await tx.prisma();
  const { tenant, id, connectorId, digest } = token;
  const knownTo = token.knownTo.map((knower) => ({ ...knower }));
  await prisma.connectorToken.create({
    data: { tenant, id, connectorId, digest: new Uint8Array(digest), knownTo },
    select: { id: true },
  });
}

async function live(tx: Connection, { tenant, id }: ConnectorKey): Promise<string[]> {
  const prisma = await tx.prisma();
  const tokens = await prisma.connectorToken.findMany({
    where: { tenant, connectorId: id, ...accepted() },
    select: { id: true },
    orderBy: { id: 'desc' },
  });
  return tokens.map((token) => token.id);
}

const keepNewest = (
  tx: Connection,
  { tenant, id }: ConnectorKey,
  seconds: number,
): Promise<{ id: string; expiresAt: Date } | undefined> =>
  keepNewestToken.first(tx, { tenant, connectorId: id, seconds });

async function revoke(
  tx: Connection,
  { tenant, id }: ConnectorKey,
  tokenId: string,
): Promise<string | undefined> {
  const prisma = await tx.prisma();
  const { count } = await prisma.connectorToken.updateMany({
    where: { tenant, connectorId: id, id: tokenId, ...accepted() },
    data: { revokedAt: new Date() },
  });
  return count > 0 ? tokenId : undefined;
}

export const connectorTokens: ConnectorTokenStore = { add, live, keepNewest, revoke };
