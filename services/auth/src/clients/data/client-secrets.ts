import type { Sql } from '@ostiary/database';
import { type Key, type KeyRing, openBytes, sealBytes, uuidv7 } from '@ostiary/service';
import { keyedDigest, randomSecret } from '../../keys/index.ts';
import type { ClientAuthMethod } from '../domain/client.ts';

const day = 86_400;

/** Whether a client of this method has secrets at all. */
export const usesSecret = (method: ClientAuthMethod): boolean => method.startsWith('client_secret_');

/**
 * Secrets of clients. Stored is a keyed digest; only for client_secret_jwt, whose HMAC can't be checked otherwise, the
 * secret itself as well, encrypted.
 */
export class ClientSecrets {
  readonly #digestKey: Key;
  readonly #sealKeys: KeyRing;

  constructor(o: { digestKey: Key; sealKeys: KeyRing }) {
    this.#digestKey = o.digestKey;
    this.#sealKeys = o.sealKeys;
  }

  /** Makes a live secret that doesn't expire, in the caller's transaction. */
  async insert(
    tx: Sql,
    client: { tenant: string; clientId: string; method: ClientAuthMethod },
  ): Promise<string> {
    const { tenant, clientId, method } = client;
    const secret = randomSecret('ocs_');
    const id = uuidv7();
    await tx.query(
      'INSERT INTO auth.client_secrets (tenant, id, client_id, digest, sealed) VALUES ($1, $2, $3, $4, $5)',
      [
        tenant,
        id,
        clientId,
        keyedDigest(this.#digestKey(), secret),
        method === 'client_secret_jwt'
          ? sealBytes(this.#sealKeys, Buffer.from(secret), clientSecretContext(tenant, clientId, id))
          : null,
      ],
    );
    return secret;
  }

  /** The same next to a live one, which lapses after `overlapSeconds`; older ones end at once. */
  async rotate(
    tx: Sql,
    client: { tenant: string; clientId: string; method: ClientAuthMethod },
    overlapSeconds = day,
  ): Promise<string> {
    const { tenant, clientId } = client;
    // Only the newest of the older ones may overlap with the new one.
    await tx.query(
      `DELETE FROM auth.client_secrets WHERE tenant = $1 AND client_id = $2 AND id NOT IN
         (SELECT id FROM auth.client_secrets WHERE tenant = $1 AND client_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1)`,
      [tenant, clientId],
    );
    await tx.query(
      `UPDATE auth.client_secrets SET expires_at = LEAST(expires_at, now() + $3 * interval '1 second')
       WHERE tenant = $1 AND client_id = $2`,
      [tenant, clientId, overlapSeconds],
    );
    return this.insert(tx, client);
  }

  /**
   * Makes the secrets fit another method of authentication.
   * @returns a new secret, when the existing ones don't serve that method
   */
  async changeMethod(
    tx: Sql,
    client: { tenant: string; clientId: string },
    from: ClientAuthMethod,
    to: ClientAuthMethod,
  ): Promise<string | undefined> {
    if (from === to) return undefined;
    const target = [client.tenant, client.clientId];
    const serves = usesSecret(from) && usesSecret(to) && to !== 'client_secret_jwt';
    if (serves) {
      await tx.query(
        'UPDATE auth.client_secrets SET sealed = NULL WHERE tenant = $1 AND client_id = $2',
        target,
      );
      return undefined;
    }
    await tx.query('DELETE FROM auth.client_secrets WHERE tenant = $1 AND client_id = $2', target);
    return usesSecret(to) ? this.insert(tx, { ...client, method: to }) : undefined;
  }

  /** Opens a sealed secret. Throws when it was sealed for another client, or with another key. */
  reveal(tenant: string, clientId: string, id: string, sealed: Buffer): string {
    return openBytes(this.#sealKeys, sealed, clientSecretContext(tenant, clientId, id)).toString('utf8');
  }
}

/** Where a client's secret belongs. */
export const clientSecretContext = (tenant: string, clientId: string, id: string): string =>
  `${tenant}/${clientId}/${id}`;
