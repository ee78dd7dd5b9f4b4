import { type Key, type KeyRing, openBytes, sealBytes, uuidv7 } from '@ostiary/service';
import type { CredentialOwner } from '../../access/index.ts';
import type { Connection } from '../../platform/database/data/connection.ts';
import { keyedDigest, randomSecret } from '../../tenancy/index.ts';
import type { ClientAuthMethod } from '../domain/client.ts';

const day = 86_400;

/** Reports whether clients with this method have secrets. */
export const usesSecret = (method: ClientAuthMethod): boolean => method.startsWith('client_secret_');

/**
 * Secrets of clients. A keyed digest is stored. For client_secret_jwt the encrypted secret is stored too, because
 * verifying an HMAC needs it.
 */
export class ClientSecrets {
  readonly #digestKey: Key;
  readonly #sealKeys: KeyRing;

  constructor(o: { digestKey: Key; sealKeys: KeyRing }) {
    this.#digestKey = o.digestKey;
    this.#sealKeys = o.sealKeys;
  }

  /**
   * Creates a secret without expiry in the caller's transaction.
   * @param knownTo users who receive it; held by the caller
   */
  async insert(
    tx: Connection,
    client: { tenant: string; clientId: string; method: ClientAuthMethod },
    knownTo: readonly CredentialOwner[],
  ): Promise<string> {
    const { tenant, clientId, method } = client;
    const secret = randomSecret('ocs_');
    const id = uuidv7();
    const sealed =
      method === 'client_secret_jwt'
        ? sealBytes(this.#sealKeys, Buffer.from(secret), clientSecretContext(tenant, clientId, id))
        : null;
    await (await tx.prisma()).clientSecret.create({
      data: {
        tenant,
        id,
        clientId,
        digest: new Uint8Array(keyedDigest(this.#digestKey(), secret)),
        sealed: sealed && new Uint8Array(sealed),
        knownTo: knownTo.map((knower) => knower.id),
      },
      select: { id: true },
    });
    return secret;
  }

  /** Creates a secret next to the current one, which expires after `overlapSeconds`. Older ones are deleted. */
  async rotate(
    tx: Connection,
    client: { tenant: string; clientId: string; method: ClientAuthMethod },
    knownTo: readonly CredentialOwner[],
    overlapSeconds = day,
  ): Promise<string> {
    const { tenant, clientId } = client;
    const prisma = await tx.prisma();
    // Only the current secret may overlap with the new one. It is the one without expiry, independent of clock
    // differences between processes.
    const newest = await prisma.clientSecret.findFirst({
      where: { tenant, clientId },
      orderBy: [{ expiresAt: { sort: 'desc', nulls: 'first' } }, { createdAt: 'desc' }, { id: 'desc' }],
      select: { id: true },
    });
    if (newest) await prisma.clientSecret.deleteMany({ where: { tenant, clientId, id: { not: newest.id } } });
    const end = new Date(Date.now() + overlapSeconds * 1_000);
    await prisma.clientSecret.updateMany({
      where: { tenant, clientId, OR: [{ expiresAt: null }, { expiresAt: { gt: end } }] },
      data: { expiresAt: end },
    });
    return this.insert(tx, client, knownTo);
  }

  /**
   * Adapts the secrets to another authentication method.
   * @returns a new secret, when the existing ones cannot be used with that method
   */
  async changeMethod(
    tx: Connection,
    client: { tenant: string; clientId: string },
    [from, to]: readonly [ClientAuthMethod, ClientAuthMethod],
    knownTo: readonly CredentialOwner[],
  ): Promise<string | undefined> {
    if (from === to) return undefined;
    const { tenant, clientId } = client;
    const prisma = await tx.prisma();
    const serves = usesSecret(from) && usesSecret(to) && to !== 'client_secret_jwt';
    if (serves) {
      await prisma.clientSecret.updateMany({ where: { tenant, clientId }, data: { sealed: null } });
      return undefined;
    }
    await prisma.clientSecret.deleteMany({ where: { tenant, clientId } });
    return usesSecret(to) ? this.insert(tx, { ...client, method: to }, knownTo) : undefined;
  }

  /**
   * Decrypts a secret.
   * @throws when it was encrypted for another client or with another key
   */
  reveal(tenant: string, clientId: string, id: string, sealed: Buffer): string {
    return openBytes(this.#sealKeys, sealed, clientSecretContext(tenant, clientId, id)).toString('utf8');
  }
}

/** Context that binds an encrypted secret to one client. */
export const clientSecretContext = (tenant: string, clientId: string, id: string): string =>
  `${tenant}/${clientId}/${id}`;
