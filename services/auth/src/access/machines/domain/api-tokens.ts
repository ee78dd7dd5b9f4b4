import {
  type ApiTokenKind,
  apiScopes,
  newApiToken,
  oidcScopes,
  type Revocation,
  selfScopes,
} from '@ostiary/access';
import { isUuid, type Key, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import {
  type Claim,
  changesBetween,
  invalidRequest,
  type SecurityLog,
  withinScopes,
} from '../../../platform/index.ts';
import type { Tenants } from '../../../tenancy/index.ts';
import {
  type CarriedRoles,
  keyedDigest,
  type RevocationFeed,
  revocationExpiry,
  type Subject,
  type SubjectStore,
} from '../../../tenancy/index.ts';
import type {
  CredentialOwner,
  CredentialOwnerStore,
  OwnerToBe,
} from '../../ownership/domain/credential-owner.ts';
import type { Knowers } from '../../ownership/domain/known-secret.ts';
import { type CountingRoles, countingRoles } from '../../roles/domain/counting-roles.ts';
import { defaultScopes, permittedScopes } from '../../roles/domain/scopes.ts';
import type { ApiTokenOwner, ApiTokenStore, NewApiToken } from './api-token-store.ts';
import type { ServiceAccountStore } from './service-account-store.ts';
import type { ApiTokenSummary } from './token-list.ts';

export interface ApiTokenRequest {
  /** Name for users, 1 to 100 characters. */
  name: string;
  /** Scopes; by default all that it may have, except those that change the owner's own account. */
  scopes?: readonly string[] | undefined;
  /** Expiry; by default after the standard lifetime. */
  expiresAt?: Date | undefined;
}

/** A new token; its value is returned only here. */
export interface CreatedApiToken {
  summary: ApiTokenSummary;
  token: string;
}

/** The owner has the maximum number of live tokens. */
export class TooManyApiTokens extends Error {}
/** The owner does not exist, is inactive, or was signed out everywhere since the caller's token was issued. */
export class OwnerGone extends Error {}

/** Session of the user who makes the request. */
export interface ActingSession {
  id: string;
  subjectId: string;
  subjectEpoch: number;
  carriedRoles: CarriedRoles;
}

export interface TokenLimits {
  acr?: string | null | undefined;
  scopes?: ReadonlySet<string>;
  epoch?: number;
  grantId?: string | undefined;
  clientId?: string;
  session?: ActingSession;
  claim?: Claim | undefined;
}

/** Locks the session or grant of a new token until the transaction ends. Returns false when it has ended. */
export interface TokenBasis {
  holdSession(tx: Transaction, tenant: string, session: ActingSession): Promise<boolean>;
  holdGrant(tx: Transaction, tenant: string, grantId: string): Promise<boolean>;
}

export interface ApiTokensOptions {
  securityLog: SecurityLog;
  apiTokenStore: ApiTokenStore;
  serviceAccountStore: ServiceAccountStore;
  subjectStore: SubjectStore;
  credentialOwnerStore: CredentialOwnerStore;
  knowers: Knowers;
  tokenBasis: TokenBasis;
  database: Transactions;
  revocations: RevocationFeed;
  tenants: Tenants;
  /** Key of the tokens' digests. */
  digestKey: Key;
  accessTokenSeconds: number;
  clock: () => number;
}

const dayMs = 86_400_000;
const maxTokens = 50;
const hintLength = 4;

/** Default and maximum lifetimes of tokens in milliseconds. */
const lifetimes: Readonly<Record<ApiTokenKind, { standard: number; longest: number }>> = {
  personal: { standard: 90 * dayMs, longest: 366 * dayMs },
  service_account: { standard: 365 * dayMs, longest: 3 * 366 * dayMs },
};

/** Scopes that a personal access token can have: all scopes of users except the one for refresh tokens. */
const personal = Object.keys({ ...oidcScopes, ...selfScopes, ...apiScopes }).filter(
  (scope) => scope !== 'offline_access',
);

/** Returns the scopes that a user may give to a token of theirs, in a fixed order. */
export const personalScopes = (roles: CountingRoles, within?: ReadonlySet<string>): string[] =>
  permittedScopes(personal, { scopes: personal }, roles).filter((scope) => within?.has(scope) ?? true);

/**
 * Returns the roles of a new token. Within a grant, the scopes of its access token already reflect the roles that
 * count.
 */
const carriedWithin = ({ session, grantId }: TokenLimits): CarriedRoles =>
  session ? session.carriedRoles : grantId === undefined ? [] : null;

export class ApiTokens {
  readonly #o: ApiTokensOptions;

  constructor(o: ApiTokensOptions) {
    this.#o = o;
  }

  /**
   * Creates a personal access token.
   * @param limits `scopes`: scopes of the requesting token, which limit the new one; absent when the user is signed in.
   * `claim`: claim of an idempotency key. `epoch`: epoch of the requesting token. `grantId`: its grant, with which the
   * new token ends. `clientId`: the app of that token; the new token also ends when the app's access is withdrawn.
   * `session`: session of the user. `acr`: authentication class of the sign-in; roles that require a second factor do
   * not count without it. No token is created when any of these has ended in the meantime.
   * @throws OAuthError invalid_scope, invalid_request; TooManyApiTokens; OwnerGone
   */
  async createPersonal(
    tenant: string,
    subject: Subject,
    request: ApiTokenRequest,
    limits: TokenLimits = {},
  ): Promise<CreatedApiToken> {
    const { acr = null, session } = limits;
    const held = { roles: subject.roles, acr, carriedRoles: carriedWithin(limits) };
    const roles = countingRoles((await this.#o.tenants.find(tenant))?.policy, held);
    const checked = {
      name: checkName(request.name),
      expiresAt: checkExpiry('personal', request.expiresAt, this.#o.clock()),
      scopes: checkScopes(request.scopes, personalScopes(roles, limits.scopes)),
      clientId: limits.clientId,
      grantId: limits.grantId,
      sessionId: session?.id,
      acr,
    };
    return this.#o.database.transaction(async (tx) => {
      const epoch = await this.#o.subjectStore.lockForIssuing(tx, tenant, subject.id);
      // An offboarding that committed first must not leave a token behind.
      if (epoch === undefined || epoch !== (limits.epoch ?? subject.epoch)) throw new OwnerGone();
      if (session && !(await this.#o.tokenBasis.holdSession(tx, tenant, session))) throw new OwnerGone();
      if (limits.grantId && !(await this.#o.tokenBasis.holdGrant(tx, tenant, limits.grantId)))
        throw new OwnerGone();
      return this.#insert(
        tx,
        'personal',
        tenant,
        { column: 'subject_id', id: subject.id, epoch },
        checked,
        limits.claim,
      );
    });
  }

  /** Returns users' tokens that are not revoked, newest first. */
  listPersonal(tenant: string, ids: readonly string[]): Promise<ApiTokenSummary[]> {
    return this.#o.apiTokenStore.listApiTokens(
      this.#o.database.sql,
      tenant,
      'subject_id',
      ids.filter(isUuid),
    );
  }

  /** Returns the owner of a personal access token; undefined when the tenant has no such live token. */
  personalOwner(tenant: string, id: string): Promise<string | undefined> {
    return this.#ownerOf('subject_id', tenant, id);
  }

  /**
   * Creates an API key of a service account with at most the account's scopes. `mayGive` rejects scopes by throwing.
   * @throws OAuthError invalid_scope, invalid_request; TooManyApiTokens; OwnerGone
   */
  async createKey(
    tenant: string,
    id: string,
    request: ApiTokenRequest,
    mayGive: (scopes: readonly string[]) => void,
    claim?: Claim,
    ownerToBe?: OwnerToBe,
  ): Promise<CreatedApiToken> {
    const name = checkName(request.name);
    const expiresAt = checkExpiry('service_account', request.expiresAt, this.#o.clock());
    if (!isUuid(id)) throw new OwnerGone();
    return this.#o.database.transaction(async (tx) => {
      const ownedBy = (await ownerToBe?.(tx)) ?? null;
      const knownTo = await this.#o.knowers.holdKnowers(tx, tenant);
      const account = await this.#o.serviceAccountStore.findServiceAccount(tx, tenant, id, { lock: true });
      if (!account) throw new OwnerGone();
      const scopes = checkScopes(request.scopes, account.scopes);
      mayGive(scopes);
      const owner = { column: 'service_account_id', id: account.id, epoch: account.epoch } as const;
      const asked = { name, expiresAt, scopes, owner: ownedBy };
      const created = await this.#insert(tx, 'service_account', tenant, owner, asked, claim);
      await this.#o.knowers.recordKnown(tx, tenant, 'api_key', created.summary.id, knownTo);
      return created;
    });
  }

  /** Returns service accounts' API keys that are not revoked, newest first. */
  listKeys(tenant: string, ids: readonly string[]): Promise<ApiTokenSummary[]> {
    return this.#o.apiTokenStore.listApiTokens(
      this.#o.database.sql,
      tenant,
      'service_account_id',
      ids.filter(isUuid),
    );
  }

  /** Returns the owner of an API key; undefined when the tenant has no such live key. */
  keyOwner(tenant: string, id: string): Promise<string | undefined> {
    return this.#ownerOf('service_account_id', tenant, id);
  }

  /** Revokes a token of either kind, immediately in all processes. Returns false when there is no such live token. */
  async revoke(tenant: string, id: string, claim?: Claim): Promise<boolean> {
    if (!isUuid(id)) return false;
    const entries = await this.#o.database.transaction(async (tx): Promise<Revocation[]> => {
      const owner = await this.#o.apiTokenStore.revokeApiToken(tx, tenant, id);
      if (!owner) return [];
      const { subjectId, serviceAccountId, name } = owner;
      // The idempotency key stores the owner for repeated requests: after the revocation no table has it.
      await claim?.(tx, tenant, subjectId ?? serviceAccountId ?? id);
      await this.#o.securityLog.record(tx, tenant, {
        action: subjectId === null ? 'api_key.revoked' : 'personal_access_token.revoked',
        resourceType: subjectId === null ? 'ApiKey' : 'PersonalAccessToken',
        resourceId: id.toLowerCase(),
        ...(subjectId !== null && { subjectId }),
        changes: changesBetween({ name, serviceAccount: serviceAccountId }, undefined),
      });
      // Must outlast only the caches of verifiers, not the token.
      const expiresAt = revocationExpiry(this.#o.accessTokenSeconds);
      return this.#o.revocations.append(
        tx,
        [{ tenant, kind: 'jti', key: id.toLowerCase(), expiresAt }],
        'token revoked',
      );
    });
    await this.#o.revocations.publish(entries);
    return entries.length > 0;
  }

  async #insert(
    tx: Transaction,
    kind: ApiTokenKind,
    tenant: string,
    owner: { column: ApiTokenOwner; id: string; epoch: number },
    {
      owner: ownedBy = null,
      ...request
    }: Pick<NewApiToken, 'name' | 'scopes' | 'expiresAt' | 'clientId' | 'grantId' | 'sessionId' | 'acr'> & {
      owner?: CredentialOwner | null;
    },
    claim: Claim | undefined,
  ): Promise<CreatedApiToken> {
    const id = uuidv7();
    await claim?.(tx, tenant, id);
    if ((await this.#o.apiTokenStore.countApiTokens(tx, tenant, owner.column, owner.id)) >= maxTokens)
      throw new TooManyApiTokens();
    const token = newApiToken(kind);
    const summary = await this.#o.apiTokenStore.insertApiToken(tx, tenant, owner.column, {
      id,
      ownerId: owner.id,
      digest: keyedDigest(this.#o.digestKey(), token),
      hint: token.slice(-hintLength),
      ownerEpoch: owner.epoch,
      ...request,
    });
    if (kind === 'service_account')
      await this.#o.credentialOwnerStore.setOwner(tx, tenant, 'api_key', id, ownedBy);
    const { name, scopes, expiresAt, hint } = summary;
    await this.#o.securityLog.record(tx, tenant, {
      action: kind === 'personal' ? 'personal_access_token.created' : 'api_key.created',
      resourceType: kind === 'personal' ? 'PersonalAccessToken' : 'ApiKey',
      resourceId: summary.id,
      ...(kind === 'personal' && { subjectId: owner.id }),
      changes: changesBetween(undefined, {
        name,
        scopes,
        expiresAt,
        hint,
        ...(kind === 'service_account' && { serviceAccount: owner.id, ...(ownedBy && { owner: ownedBy }) }),
      }),
    });
    return { summary, token };
  }

  async #ownerOf(owner: ApiTokenOwner, tenant: string, id: string): Promise<string | undefined> {
    return isUuid(id)
      ? this.#o.apiTokenStore.apiTokenOwner(this.#o.database.sql, tenant, owner, id)
      : undefined;
  }
}

/** Control characters, surrogate halves, and characters that change the text direction. */
const unprintable = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/**
 * Returns the trimmed name: 1 to 100 characters without control characters.
 * @throws OAuthError
 */
export function checkName(text: string): string {
  const name = text.trim();
  if (name === '' || [...name].length > 100 || unprintable.test(name)) {
    throw invalidRequest('name must have 1 to 100 printable characters.');
  }
  return name;
}

function checkExpiry(kind: ApiTokenKind, wanted: Date | undefined, now: number): Date {
  const { standard, longest } = lifetimes[kind];
  if (wanted === undefined) return new Date(now + standard);
  if (wanted.getTime() <= now) throw invalidRequest('The expiration time must be in the future.');
  if (wanted.getTime() > now + longest) {
    throw invalidRequest(`The expiration time must be at most ${longest / dayMs} days from now.`);
  }
  return wanted;
}

function checkScopes(wanted: readonly string[] | undefined, allowed: readonly string[]): string[] {
  if (wanted === undefined) return defaultScopes(allowed);
  return withinScopes(
    [...new Set(wanted)],
    (scope) => allowed.includes(scope),
    'is not held by the owner of the token',
  );
}
