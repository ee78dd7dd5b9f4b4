import type { SecretKind } from '../domain/known-secret.ts';

/** Storage of a kind of secrets, in SQL, with the row as `s`. */
export interface KnownSecretSource {
  table: string;
  /** Column of the secret's id; `client_id` where a client has at most one. */
  id: 'id' | 'client_id';
  /** Column of the id of the object that the secret belongs to. */
  credential: 'client_id' | 'id' | 'issuer_id' | 'service_account_id' | 'subject_id';
  live: string;
  /** Name of the secret, or of the object that it belongs to; null if there is none. */
  name: string;
  /** Column of the users and groups that know the secret. */
  knownTo?: string;
  /** Kind and id in `credential_owners` of the object that the secret belongs to. */
  owned?: readonly [kind: string, id: string];
  /** Statement that removes the secret. Default: its row is deleted. */
  end?: string;
}

/** Storage of these kinds, contributed by the district of their tables. */
export type KnownSecretSources<K extends SecretKind = SecretKind> = Readonly<Record<K, KnownSecretSource>>;

/** Condition that the row has not expired. */
export const unexpired = 's.expires_at > now()';

/** `owned` of a secret of a client. */
export const ofClient = ['client', 's.client_id'] as const;
