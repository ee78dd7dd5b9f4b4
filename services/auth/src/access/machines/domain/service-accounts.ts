import { apiScopes, type Revocation } from '@ostiary/access';
import { type IdPage, isUuid, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import {
  type Changes,
  type ChangeTerms,
  type Claim,
  changesBetween,
  invalidRequest,
  requireVersion,
  type SecurityAction,
  type SecurityLog,
  withinScopes,
} from '../../../platform/index.ts';
import { type RevocationFeed, revocationExpiry } from '../../../tenancy/index.ts';
import type {
  CredentialOwnerStore,
  OwnerFilter,
  OwnerToBe,
} from '../../ownership/domain/credential-owner.ts';
import type { Knowers } from '../../ownership/domain/known-secret.ts';
import { checkName } from './api-tokens.ts';
import { checkPublicKey, maxKidLength } from './public-key.ts';
import type {
  AssertionKey,
  ServiceAccount,
  ServiceAccountKey,
  ServiceAccountStore,
} from './service-account-store.ts';

export type { AssertionKey, ServiceAccount, ServiceAccountKey } from './service-account-store.ts';

/** Changes of a service account; omitted members stay. */
export interface ServiceAccountPatch {
  name?: string | undefined;
  description?: string | null | undefined;
  scopes?: readonly string[] | undefined;
  disabled?: boolean | undefined;
}

/** The account has the maximum number of keys. */
export class TooManyKeys extends Error {}

/** Maximum number of public keys of one account. */
const maxKeys = 50;

export interface ServiceAccountsOptions {
  securityLog: SecurityLog;
  serviceAccountStore: ServiceAccountStore;
  credentialOwnerStore: CredentialOwnerStore;
  knowers: Knowers;
  database: Transactions;
  revocations: RevocationFeed;
  accessTokenSeconds: number;
  clock: () => number;
  /** Called at each use of a key; must not wait. */
  onKeyUse: (tenant: string, keyId: string) => void;
}

const maxDescriptionLength = 500;
const allow = (): void => undefined;

/**
 * Service accounts. In a token, a service account is a client with its id as `client_id` and `sub`, and with its epoch,
 * so a `client` revocation ends everything issued to it.
 */
export class ServiceAccounts {
  readonly #o: ServiceAccountsOptions;

  constructor(o: ServiceAccountsOptions) {
    this.#o = o;
  }

  async find(tenant: string, id: string): Promise<ServiceAccount | undefined> {
    return isUuid(id)
      ? this.#o.serviceAccountStore.findServiceAccount(this.#o.database.sql, tenant, id)
      : undefined;
  }

  /** Returns one page of the accounts in order of creation. */
  list(
    tenant: string,
    page: IdPage,
    filter?: OwnerFilter,
  ): Promise<{ accounts: ServiceAccount[]; total: number }> {
    return this.#o.serviceAccountStore.listServiceAccounts(this.#o.database.sql, tenant, page, filter);
  }

  /** @throws OAuthError invalid_scope, invalid_request */
  async create(
    tenant: string,
    account: { name: string; description?: string | null | undefined; scopes: readonly string[] },
    claim?: Claim,
    ownerToBe?: OwnerToBe,
  ): Promise<ServiceAccount> {
    const checked = {
      name: checkName(account.name),
      description: checkDescription(account.description),
      scopes: checkScopes(account.scopes),
    };
    const id = uuidv7();
    return this.#o.database.transaction(async (tx) => {
      await claim?.(tx, tenant, id);
      const owner = (await ownerToBe?.(tx)) ?? null;
      const created = await this.#o.serviceAccountStore.insertServiceAccount(tx, tenant, { id, ...checked });
      await this.#o.credentialOwnerStore.setOwner(tx, tenant, 'service_account', id, owner);
      const changes = changesBetween(undefined, { ...checked, ...(owner && { owner }) });
      await recordOf(this.#o, tx, tenant, id, 'service_account.created', changes);
      return created;
    });
  }

  /**
   * Updates an account. Narrower scopes and disabling take effect immediately: access tokens end, and API keys are
   * checked at each use.
   * @param mayChange rejects the account's new scopes by throwing; not called when access is only reduced
   * @returns undefined when the tenant has no such account
   * @throws OAuthError invalid_scope, invalid_request; VersionChanged
   */
  async update(
    tenant: string,
    id: string,
    patch: ServiceAccountPatch,
    mayChange: (scopes: readonly string[]) => void = allow,
    terms: ChangeTerms = {},
  ): Promise<ServiceAccount | undefined> {
    if (!isUuid(id)) return undefined;
    const name = patch.name === undefined ? undefined : checkName(patch.name);
    const scopes = patch.scopes && checkScopes(patch.scopes);
    const description = patch.description === undefined ? undefined : checkDescription(patch.description);
    return this.#publishing(async (tx) => {
      const before = await this.#o.serviceAccountStore.findServiceAccount(tx, tenant, id, { lock: true });
      if (!before) return { result: undefined, revocations: [] };
      await terms.claim?.(tx, tenant, before.id);
      requireVersion(terms, before.version);
      // Enabling an account restores all its access, so it needs the same permission as its scopes.
      if (scopes || patch.disabled === false) mayChange(scopes ?? before.scopes);
      const disabled = patch.disabled ?? before.disabled;
      const narrower = scopes !== undefined && !before.scopes.every((scope) => scopes.includes(scope));
      const nextEpoch = narrower || (disabled && !before.disabled);
      const result = await this.#o.serviceAccountStore.updateServiceAccount(tx, tenant, before.id, {
        name: name ?? before.name,
        description: description === undefined ? before.description : description,
        scopes: scopes ?? before.scopes,
        disabled,
        nextEpoch,
      });
      const changes = changesBetween(visible(before), visible(result));
      if (Object.keys(changes).length > 0)
        await recordOf(this.#o, tx, tenant, before.id, 'service_account.updated', changes);
      const revocations = nextEpoch
        ? await this.#endTokens(tx, tenant, result.id, result.epoch, 'service account changed')
        : [];
      return { result, revocations };
    });
  }

  /**
   * Deletes an account with its keys, API keys and tokens. Returns false when the tenant has no such account.
   * @throws VersionChanged
   */
  async remove(tenant: string, id: string, terms: ChangeTerms = {}): Promise<boolean> {
    if (!isUuid(id)) return false;
    return this.#publishing(async (tx) => {
      const gone = await this.#o.serviceAccountStore.findServiceAccount(tx, tenant, id, { lock: true });
      if (!gone) return { result: false, revocations: [] };
      await terms.claim?.(tx, tenant, gone.id);
      requireVersion(terms, gone.version);
      await this.#o.serviceAccountStore.deleteServiceAccount(tx, tenant, gone.id);
      const changes = changesBetween(visible(gone), undefined);
      await recordOf(this.#o, tx, tenant, gone.id, 'service_account.deleted', changes);
      const revocations = await this.#endTokens(
        tx,
        tenant,
        gone.id,
        gone.epoch + 1,
        'service account deleted',
      );
      return { result: true, revocations };
    });
  }

  /**
   * Registers a public key (RFC 7517) for the account's assertions (RFC 7523 §2.1): EC P-256, RSA of 2048 bits or more,
   * or Ed25519. Without a `kid`, its thumbprint is used (RFC 7638).
   * @returns undefined when the tenant has no such account
   * @throws OAuthError invalid_request; KeyTaken, TooManyKeys
   */
  async addKey(
    tenant: string,
    serviceAccountId: string,
    key: { jwk: unknown; expiresAt?: Date | undefined },
    mayAdd: (scopes: readonly string[]) => void = allow,
    claim?: Claim,
  ): Promise<ServiceAccountKey | undefined> {
    const { publicJwk, alg, kid } = await checkPublicKey(key.jwk);
    if (key.expiresAt && key.expiresAt.getTime() <= this.#o.clock()) {
      throw invalidRequest('The expiration time must be in the future.');
    }
    if (!isUuid(serviceAccountId)) return undefined;
    return this.#o.database.transaction(async (tx) => {
      const knownTo = await this.#o.knowers.holdKnowers(tx, tenant);
      const account = await this.#o.serviceAccountStore.findServiceAccount(tx, tenant, serviceAccountId, {
        lock: true,
      });
      if (!account) return undefined;
      mayAdd(account.scopes);
      // The lock on the account keeps this count valid.
      const { length } = await this.#o.serviceAccountStore.listServiceAccountKeys(tx, tenant, [account.id]);
      if (length >= maxKeys) throw new TooManyKeys();
      const id = uuidv7();
      await claim?.(tx, tenant, id);
      const added = await this.#o.serviceAccountStore.insertServiceAccountKey(tx, tenant, {
        id,
        serviceAccountId: account.id,
        kid,
        alg,
        publicJwk,
        expiresAt: key.expiresAt ?? null,
      });
      await this.#o.knowers.recordKnown(tx, tenant, 'service_account_key', id, knownTo);
      const changes = changesBetween(undefined, { key: added.id, kid, alg, expiresAt: added.expiresAt });
      await recordOf(this.#o, tx, tenant, account.id, 'service_account.key_added', changes);
      return added;
    });
  }

  listKeys(tenant: string, ids: readonly string[]): Promise<ServiceAccountKey[]> {
    return this.#o.serviceAccountStore.listServiceAccountKeys(
      this.#o.database.sql,
      tenant,
      ids.filter(isUuid),
    );
  }

  /**
   * Deletes a key. The account's access tokens end with it, because any of them may have been obtained with the key. An
   * idempotency key is claimed for the account, and the version is the account's.
   * @throws VersionChanged
   */
  async removeKey(
    tenant: string,
    id: string,
    terms: ChangeTerms = {},
  ): Promise<{ serviceAccountId: string } | undefined> {
    if (!isUuid(id)) return undefined;
    return this.#publishing(async (tx) => {
      const gone = await this.#o.serviceAccountStore.deleteServiceAccountKey(tx, tenant, id);
      const before =
        gone &&
        (await this.#o.serviceAccountStore.findServiceAccount(tx, tenant, gone.serviceAccountId, {
          lock: true,
        }));
      if (!before) return { result: undefined, revocations: [] };
      await terms.claim?.(tx, tenant, before.id);
      requireVersion(terms, before.version);
      const after = await this.#o.serviceAccountStore.updateServiceAccount(tx, tenant, before.id, {
        ...before,
        nextEpoch: true,
      });
      const changes = changesBetween({ key: gone.id, kid: gone.kid, alg: gone.alg }, undefined);
      await recordOf(this.#o, tx, tenant, after.id, 'service_account.key_removed', changes);
      const revocations = await this.#endTokens(
        tx,
        tenant,
        after.id,
        after.epoch,
        'service account key removed',
      );
      return { result: { serviceAccountId: after.id }, revocations };
    });
  }

  /** Returns the key that an assertion of this account names, when account and key are valid, and records its use. */
  async assertionKey(
    tenant: string,
    serviceAccountId: string,
    kid: string,
  ): Promise<AssertionKey | undefined> {
    if (!isUuid(serviceAccountId) || kid.length > maxKidLength || kid.includes('\u0000')) return undefined;
    const key = await this.#o.serviceAccountStore.findAssertionKey(
      this.#o.database.sql,
      tenant,
      serviceAccountId,
      kid,
    );
    if (key) this.#o.onKeyUse(tenant, key.id);
    return key;
  }

  /** Ends the access tokens of earlier epochs, and invalidates cached API keys in verifiers. */
  #endTokens(
    tx: Transaction,
    tenant: string,
    id: string,
    epoch: number,
    reason: string,
  ): Promise<Revocation[]> {
    return this.#o.revocations.append(
      tx,
      [{ tenant, kind: 'client', key: id, epoch, expiresAt: revocationExpiry(this.#o.accessTokenSeconds) }],
      reason,
    );
  }

  async #publishing<T>(
    work: (tx: Transaction) => Promise<{ result: T; revocations: Revocation[] }>,
  ): Promise<T> {
    const { result, revocations } = await this.#o.database.transaction(work);
    await this.#o.revocations.publish(revocations);
    return result;
  }
}

const visible = ({ name, description, scopes, disabled }: ServiceAccount) => ({
  name,
  description,
  scopes,
  disabled,
});

const recordOf = (
  o: ServiceAccountsOptions,
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
  if (text.length > maxDescriptionLength || text.includes('\u0000') || !text.isWellFormed()) {
    throw invalidRequest(`description must have at most ${maxDescriptionLength} characters.`);
  }
  return text.trim();
}

/** Rejects scopes about users, which a service account does not represent. */
function checkScopes(wanted: readonly string[]): string[] {
  return withinScopes(
    [...new Set(wanted)],
    (scope) => Object.hasOwn(apiScopes, scope),
    'is not a scope of the API; service accounts have no other scopes',
  );
}
