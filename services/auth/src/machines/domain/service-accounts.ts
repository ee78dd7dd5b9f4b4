import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { apiScopes, contradictionOf, isSameAlgorithm, type Revocation } from '@ostiary/access';
import { type IdPage, isUuid, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import { calculateJwkThumbprint } from 'jose';
import { type Changes, changesBetween, type SecurityAction, type SecurityLog } from '../../audit/index.ts';
import type { CredentialOwnerStore, OwnerFilter, OwnerToBe } from '../../ownership/index.ts';
import {
  type ChangeTerms,
  type Claim,
  invalidRequest,
  invalidScope,
  requireVersion,
} from '../../protocol/index.ts';
import { type RevocationFeed, revocationExpiry } from '../../subjects/index.ts';
import { checkName } from './api-tokens.ts';
import type {
  AssertionKey,
  ServiceAccount,
  ServiceAccountKey,
  ServiceAccountStore,
} from './service-account-store.ts';

export type { AssertionKey, ServiceAccount, ServiceAccountKey } from './service-account-store.ts';

/** What of a service account can be changed; what is left out stays. */
export interface ServiceAccountPatch {
  name?: string | undefined;
  description?: string | null | undefined;
  scopes?: readonly string[] | undefined;
  disabled?: boolean | undefined;
}

/** The account has as many keys as it may have. */
export class TooManyKeys extends Error {}

/** Public keys of one account. */
const mostKeys = 50;

/**
 * Programs' own accounts. In a token a service account is a client whose `client_id` and `sub` are its id, and whose
 * epoch the token carries; so a `client` revocation ends what was issued to it.
 */
export interface ServiceAccounts {
  find(tenant: string, id: string): Promise<ServiceAccount | undefined>;
  /** A stretch of the list, which is in the order of creation. */
  list(
    tenant: string,
    page: IdPage,
    filter?: OwnerFilter,
  ): Promise<{ accounts: ServiceAccount[]; total: number }>;
  /** @throws OAuthError invalid_scope, invalid_request */
  create(
    tenant: string,
    account: { name: string; description?: string | null | undefined; scopes: readonly string[] },
    claim?: Claim,
    ownerToBe?: OwnerToBe,
  ): Promise<ServiceAccount>;
  /**
   * Narrower scopes and disabling take effect at once: access tokens end, and API keys are looked at anew.
   * @param mayChange has the last word on the scopes the account has from now on; not asked when nothing opens
   * @returns undefined when the tenant has no such account
   * @throws OAuthError invalid_scope, invalid_request; VersionChanged
   */
  update(
    tenant: string,
    id: string,
    patch: ServiceAccountPatch,
    mayChange?: (scopes: readonly string[]) => void,
    terms?: ChangeTerms,
  ): Promise<ServiceAccount | undefined>;
  /** Removes an account with its keys, API keys and tokens. False when the tenant has no such account. @throws VersionChanged */
  remove(tenant: string, id: string, terms?: ChangeTerms): Promise<boolean>;
  /**
   * Registers a public key (RFC 7517) the account will sign assertions with (RFC 7523 §2.1): EC P-256, RSA of 2048 bits or
   * more, or Ed25519. Without a `kid` it goes by its thumbprint (RFC 7638).
   * @returns undefined when the tenant has no such account
   * @throws OAuthError invalid_request; KeyTaken, TooManyKeys
   */
  addKey(
    tenant: string,
    serviceAccountId: string,
    key: { jwk: unknown; expiresAt?: Date | undefined },
    mayAdd?: (scopes: readonly string[]) => void,
    claim?: Claim,
  ): Promise<ServiceAccountKey | undefined>;
  listKeys(tenant: string, serviceAccountIds: readonly string[]): Promise<ServiceAccountKey[]>;
  /**
   * Removes a key; access tokens of its account end with it, because one of them may have been had with the key. An idempotency key is
   * claimed for the account, and the version is the account's.
   * @throws VersionChanged
   */
  removeKey(
    tenant: string,
    id: string,
    terms?: ChangeTerms,
  ): Promise<{ serviceAccountId: string } | undefined>;
  /** The key an assertion of this account names, when account and key are good now; and notes its use. */
  assertionKey(tenant: string, serviceAccountId: string, kid: string): Promise<AssertionKey | undefined>;
}

export interface ServiceAccountsOptions {
  securityLog: SecurityLog;
  serviceAccountStore: ServiceAccountStore;
  credentialOwnerStore: Pick<CredentialOwnerStore, 'setOwner'>;
  database: Transactions;
  revocations: Pick<RevocationFeed, 'append' | 'publish'>;
  accessTokenSeconds: number;
  clock: () => number;
  /** Told of each use of a key; must not wait. */
  onKeyUse: (tenant: string, keyId: string) => void;
}

const longestDescription = 500;
const longestKid = 200;
const allow = (): void => undefined;

export function createServiceAccounts(o: ServiceAccountsOptions): ServiceAccounts {
  const { sql } = o.database;

  /** Ends the access tokens of epochs before this one, and what verifiers remember of API keys. */
  const endTokens = (
    tx: Transaction,
    tenant: string,
    id: string,
    epoch: number,
    reason: string,
  ): Promise<Revocation[]> =>
    o.revocations.append(
      tx,
      [{ tenant, kind: 'client', key: id, epoch, expiresAt: revocationExpiry(o.accessTokenSeconds) }],
      reason,
    );

  async function publishing<T>(
    work: (tx: Transaction) => Promise<{ result: T; revocations: Revocation[] }>,
  ): Promise<T> {
    const { result, revocations } = await o.database.transaction(work);
    await o.revocations.publish(revocations);
    return result;
  }

  return {
    find: async (tenant, id) =>
      isUuid(id) ? o.serviceAccountStore.findServiceAccount(sql, tenant, id) : undefined,
    list: (tenant, page, filter) => o.serviceAccountStore.listServiceAccounts(sql, tenant, page, filter),
    async create(tenant, account, claim, ownerToBe) {
      const checked = {
        name: checkName(account.name),
        description: checkDescription(account.description),
        scopes: checkScopes(account.scopes),
      };
      const id = uuidv7();
      return o.database.transaction(async (tx) => {
        await claim?.(tx, tenant, id);
        const owner = (await ownerToBe?.(tx)) ?? null;
        const created = await o.serviceAccountStore.insertServiceAccount(tx, tenant, { id, ...checked });
        await o.credentialOwnerStore.setOwner(tx, tenant, 'service_account', id, owner);
        const changes = changesBetween(undefined, { ...checked, ...(owner && { owner }) });
        await recordOf(o, tx, tenant, id, 'service_account.created', changes);
        return created;
      });
    },
    async update(tenant, id, patch, mayChange = allow, terms = {}) {
      if (!isUuid(id)) return undefined;
      const name = patch.name === undefined ? undefined : checkName(patch.name);
      const scopes = patch.scopes && checkScopes(patch.scopes);
      const description = patch.description === undefined ? undefined : checkDescription(patch.description);
      return publishing(async (tx) => {
        const before = await o.serviceAccountStore.findServiceAccount(tx, tenant, id, { lock: true });
        if (!before) return { result: undefined, revocations: [] };
        await terms.claim?.(tx, tenant, before.id);
        requireVersion(terms, before.version);
        // Whoever enables an account opens all its doors again.
        if (scopes || patch.disabled === false) mayChange(scopes ?? before.scopes);
        const disabled = patch.disabled ?? before.disabled;
        const narrower = scopes !== undefined && !before.scopes.every((scope) => scopes.includes(scope));
        const nextEpoch = narrower || (disabled && !before.disabled);
        const result = await o.serviceAccountStore.updateServiceAccount(tx, tenant, before.id, {
          name: name ?? before.name,
          description: description === undefined ? before.description : description,
          scopes: scopes ?? before.scopes,
          disabled,
          nextEpoch,
        });
        const changes = changesBetween(visible(before), visible(result));
        if (Object.keys(changes).length > 0)
          await recordOf(o, tx, tenant, before.id, 'service_account.updated', changes);
        const revocations = nextEpoch
          ? await endTokens(tx, tenant, result.id, result.epoch, 'service account changed')
          : [];
        return { result, revocations };
      });
    },
    async remove(tenant, id, terms = {}) {
      if (!isUuid(id)) return false;
      return publishing(async (tx) => {
        const gone = await o.serviceAccountStore.findServiceAccount(tx, tenant, id, { lock: true });
        if (!gone) return { result: false, revocations: [] };
        await terms.claim?.(tx, tenant, gone.id);
        requireVersion(terms, gone.version);
        await o.serviceAccountStore.deleteServiceAccount(tx, tenant, gone.id);
        const changes = changesBetween(visible(gone), undefined);
        await recordOf(o, tx, tenant, gone.id, 'service_account.deleted', changes);
        const revocations = await endTokens(tx, tenant, gone.id, gone.epoch + 1, 'service account deleted');
        return { result: true, revocations };
      });
    },
    async addKey(tenant, serviceAccountId, key, mayAdd = allow, claim) {
      const { publicJwk, alg, kid } = await checkPublicKey(key.jwk);
      if (key.expiresAt && key.expiresAt.getTime() <= o.clock()) {
        throw invalidRequest('The key would already have expired.');
      }
      if (!isUuid(serviceAccountId)) return undefined;
      return o.database.transaction(async (tx) => {
        const account = await o.serviceAccountStore.findServiceAccount(tx, tenant, serviceAccountId, {
          lock: true,
        });
        if (!account) return undefined;
        mayAdd(account.scopes);
        // The lock on the account makes this count hold.
        const { length } = await o.serviceAccountStore.listServiceAccountKeys(tx, tenant, [account.id]);
        if (length >= mostKeys) throw new TooManyKeys();
        const id = uuidv7();
        await claim?.(tx, tenant, id);
        const added = await o.serviceAccountStore.insertServiceAccountKey(tx, tenant, {
          id,
          serviceAccountId: account.id,
          kid,
          alg,
          publicJwk,
          expiresAt: key.expiresAt ?? null,
        });
        const changes = changesBetween(undefined, { key: added.id, kid, alg, expiresAt: added.expiresAt });
        await recordOf(o, tx, tenant, account.id, 'service_account.key_added', changes);
        return added;
      });
    },
    listKeys: (tenant, ids) => o.serviceAccountStore.listServiceAccountKeys(sql, tenant, ids.filter(isUuid)),
    async removeKey(tenant, id, terms = {}) {
      if (!isUuid(id)) return undefined;
      return publishing(async (tx) => {
        const gone = await o.serviceAccountStore.deleteServiceAccountKey(tx, tenant, id);
        const before =
          gone &&
          (await o.serviceAccountStore.findServiceAccount(tx, tenant, gone.serviceAccountId, { lock: true }));
        if (!before) return { result: undefined, revocations: [] };
        await terms.claim?.(tx, tenant, before.id);
        requireVersion(terms, before.version);
        const after = await o.serviceAccountStore.updateServiceAccount(tx, tenant, before.id, {
          ...before,
          nextEpoch: true,
        });
        const changes = changesBetween({ key: gone.id, kid: gone.kid, alg: gone.alg }, undefined);
        await recordOf(o, tx, tenant, after.id, 'service_account.key_removed', changes);
        const revocations = await endTokens(tx, tenant, after.id, after.epoch, 'service account key removed');
        return { result: { serviceAccountId: after.id }, revocations };
      });
    },
    async assertionKey(tenant, serviceAccountId, kid) {
      if (!isUuid(serviceAccountId) || kid.length > longestKid || kid.includes('\u0000')) return undefined;
      const key = await o.serviceAccountStore.findAssertionKey(sql, tenant, serviceAccountId, kid);
      if (key) o.onKeyUse(tenant, key.id);
      return key;
    },
  };
}

const visible = ({ name, description, scopes, disabled }: ServiceAccount) => ({
  name,
  description,
  scopes,
  disabled,
});

const recordOf = (
  o: Pick<ServiceAccountsOptions, 'securityLog'>,
  tx: Transaction,
  tenant: string,
  id: string,
  action: SecurityAction,
  changes?: Changes,
): Promise<void> =>
  o.securityLog.record(tx, tenant, {
    action,
    resourceType: 'ServiceAccount',
    resourceId: id,
    ...(changes && { changes }),
  });

function checkDescription(text: string | null | undefined): string | null {
  if (text === null || text === undefined || text.trim() === '') return null;
  if (text.length > longestDescription || text.includes('\u0000') || !text.isWellFormed()) {
    throw invalidRequest(`The description must have at most ${longestDescription} characters.`);
  }
  return text.trim();
}

/** Scopes about a person mean nothing without one. */
function checkScopes(wanted: readonly string[]): string[] {
  const scopes = [...new Set(wanted)];
  if (!scopes.every((scope) => Object.hasOwn(apiScopes, scope))) {
    throw invalidScope('A service account may only have scopes of the API.');
  }
  return scopes;
}

async function checkPublicKey(
  jwk: unknown,
): Promise<{ publicJwk: Record<string, string>; alg: string; kid: string }> {
  if (typeof jwk !== 'object' || jwk === null || Array.isArray(jwk)) {
    throw invalidRequest('The key must be a JSON Web Key (RFC 7517).');
  }
  const claimed = jwk as Readonly<Record<string, unknown>>;
  const contradiction = contradictionOf(claimed);
  if (contradiction !== undefined) throw invalidRequest(contradiction);
  const key = importPublicKey(claimed);
  const alg = algorithmOf(key);
  if (alg === undefined) {
    throw invalidRequest('The key must be EC P-256, RSA of 2048 bits or more, or Ed25519.');
  }
  if (claimed.alg !== undefined && !isSameAlgorithm(claimed.alg, alg)) {
    throw invalidRequest(`The key's alg must be ${alg}.`);
  }
  // Only what the key consists of is kept; whatever else came along was never checked.
  const publicJwk = key.export({ format: 'jwk' }) as Record<string, string>;
  const { kid = await calculateJwkThumbprint(publicJwk) } = claimed;
  if (typeof kid !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(kid)) {
    throw invalidRequest(`The key's kid must have 1 to ${longestKid} printable ASCII characters.`);
  }
  return { publicJwk, alg, kid };
}

function importPublicKey(jwk: Readonly<Record<string, unknown>>): KeyObject {
  try {
    return createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    throw invalidRequest('The key is not a valid public JSON Web Key (RFC 7517).');
  }
}

function algorithmOf(key: KeyObject): 'ES256' | 'RS256' | 'EdDSA' | undefined {
  const details = key.asymmetricKeyDetails;
  if (key.asymmetricKeyType === 'ec' && details?.namedCurve === 'prime256v1') return 'ES256';
  if (key.asymmetricKeyType === 'ed25519') return 'EdDSA';
  const bits = details?.modulusLength ?? 0;
  return key.asymmetricKeyType === 'rsa' && bits >= 2_048 && bits <= 8_192 ? 'RS256' : undefined;
}
