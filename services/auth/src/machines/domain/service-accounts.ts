import { apiScopes, type Revocation } from '@ostiary/access';
import { type IdPage, isUuid, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import { type Changes, changesBetween, type SecurityAction, type SecurityLog } from '../../audit/index.ts';
import type { CredentialOwnerStore, Knowers, OwnerFilter, OwnerToBe } from '../../ownership/index.ts';
import {
  type ChangeTerms,
  type Claim,
  invalidRequest,
  requireVersion,
  withinScopes,
} from '../../protocol/index.ts';
import { type RevocationFeed, revocationExpiry } from '../../subjects/index.ts';
import { checkName } from './api-tokens.ts';
import { checkPublicKey, longestKid } from './public-key.ts';
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
  knowers: Knowers;
  database: Transactions;
  revocations: Pick<RevocationFeed, 'append' | 'publish'>;
  accessTokenSeconds: number;
  clock: () => number;
  /** Told of each use of a key; must not wait. */
  onKeyUse: (tenant: string, keyId: string) => void;
}

const longestDescription = 500;
const allow = (): void => undefined;

export class RegisteredServiceAccounts implements ServiceAccounts {
  readonly #o: ServiceAccountsOptions;

  constructor(o: ServiceAccountsOptions) {
    this.#o = o;
  }

  async find(tenant: string, id: string): Promise<ServiceAccount | undefined> {
    return isUuid(id)
      ? this.#o.serviceAccountStore.findServiceAccount(this.#o.database.sql, tenant, id)
      : undefined;
  }

  list(
    tenant: string,
    page: IdPage,
    filter?: OwnerFilter,
  ): Promise<{ accounts: ServiceAccount[]; total: number }> {
    return this.#o.serviceAccountStore.listServiceAccounts(this.#o.database.sql, tenant, page, filter);
  }

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
      // Whoever enables an account opens all its doors again.
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

  async addKey(
    tenant: string,
    serviceAccountId: string,
    key: { jwk: unknown; expiresAt?: Date | undefined },
    mayAdd: (scopes: readonly string[]) => void = allow,
    claim?: Claim,
  ): Promise<ServiceAccountKey | undefined> {
    const { publicJwk, alg, kid } = await checkPublicKey(key.jwk);
    if (key.expiresAt && key.expiresAt.getTime() <= this.#o.clock()) {
      throw invalidRequest('The key would already have expired.');
    }
    if (!isUuid(serviceAccountId)) return undefined;
    return this.#o.database.transaction(async (tx) => {
      const knownTo = await this.#o.knowers.holdKnowers(tx, tenant);
      const account = await this.#o.serviceAccountStore.findServiceAccount(tx, tenant, serviceAccountId, {
        lock: true,
      });
      if (!account) return undefined;
      mayAdd(account.scopes);
      // The lock on the account makes this count hold.
      const { length } = await this.#o.serviceAccountStore.listServiceAccountKeys(tx, tenant, [account.id]);
      if (length >= mostKeys) throw new TooManyKeys();
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

  async assertionKey(
    tenant: string,
    serviceAccountId: string,
    kid: string,
  ): Promise<AssertionKey | undefined> {
    if (!isUuid(serviceAccountId) || kid.length > longestKid || kid.includes('\u0000')) return undefined;
    const key = await this.#o.serviceAccountStore.findAssertionKey(
      this.#o.database.sql,
      tenant,
      serviceAccountId,
      kid,
    );
    if (key) this.#o.onKeyUse(tenant, key.id);
    return key;
  }

  /** Ends the access tokens of epochs before this one, and what verifiers remember of API keys. */
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
  return withinScopes(
    [...new Set(wanted)],
    (scope) => Object.hasOwn(apiScopes, scope),
    'is not a scope of the API, which service accounts are limited to',
  );
}
