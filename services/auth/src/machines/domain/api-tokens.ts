import {
  type ApiTokenKind,
  apiScopes,
  newApiToken,
  oidcScopes,
  type Revocation,
  selfScopes,
} from '@ostiary/access';
import { isUuid, type Key, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import { changesBetween, type SecurityLog } from '../../audit/index.ts';
import { keyedDigest } from '../../keys/index.ts';
import type { CredentialOwner, CredentialOwnerStore, Knowers, OwnerToBe } from '../../ownership/index.ts';
import { type Claim, invalidRequest, withinScopes } from '../../protocol/index.ts';
import { type CountingRoles, countingRoles, defaultScopes, permittedScopes } from '../../roles/index.ts';
import {
  type CarriedRoles,
  type RevocationFeed,
  revocationExpiry,
  type Subject,
  type SubjectStore,
} from '../../subjects/index.ts';
import type { Tenants } from '../../tenants/index.ts';
import type { ApiTokenOwner, ApiTokenStore, NewApiToken } from './api-token-store.ts';
import type { ServiceAccountStore } from './service-account-store.ts';
import type { ApiTokenSummary } from './token-list.ts';

/** What a new token is to be. */
export interface ApiTokenRequest {
  /** For people, to recognise it by: 1 to 100 characters. */
  name: string;
  /** What it may do; when absent everything it could, but for changing what is its owner's own. */
  scopes?: readonly string[] | undefined;
  /** When it ends; after the default time when absent. */
  expiresAt?: Date | undefined;
}

/** A new token, the only time it is seen. */
export interface CreatedApiToken {
  summary: ApiTokenSummary;
  token: string;
}

/** The owner has as many live tokens as anyone may have. */
export class TooManyApiTokens extends Error {}
/** The owner isn't there, isn't active, or has been signed out everywhere since the caller's token was issued. */
export class OwnerGone extends Error {}

/** The session that the user is here in. */
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

export interface ApiTokens {
  /**
   * A personal access token.
   * @param limits `scopes`: those of the token the request came with, which the new one can't go beyond; absent when the
   * person is here themselves. `claim`: of an idempotency key. `epoch`: of that token, `grantId`: what it rests on, and with which the new one ends. `clientId`: the app it was issued to; withdrawing what that may
   * do ends the new one too. `session`: the one they are here in. `acr`:
   * class of the sign-in behind this, on which it may hang whether their roles count; without one they don't where it does. What has ended meanwhile makes no token.
   * @throws OAuthError invalid_scope, invalid_request; TooManyApiTokens; OwnerGone
   */
  createPersonal(
    tenant: string,
    subject: Subject,
    request: ApiTokenRequest,
    limits?: TokenLimits,
  ): Promise<CreatedApiToken>;
  /** People's tokens that weren't revoked, newest first. */
  listPersonal(tenant: string, subjectIds: readonly string[]): Promise<ApiTokenSummary[]>;
  /** Whose personal access token this is; undefined when the tenant has no such live token. */
  personalOwner(tenant: string, id: string): Promise<string | undefined>;
  /**
   * An API key of a service account, with the account's own scopes at most; `mayGive` has the last word on them.
   * @throws OAuthError invalid_scope, invalid_request; TooManyApiTokens; OwnerGone
   */
  createKey(
    tenant: string,
    serviceAccountId: string,
    request: ApiTokenRequest,
    mayGive: (scopes: readonly string[]) => void,
    claim?: Claim,
    ownerToBe?: OwnerToBe,
  ): Promise<CreatedApiToken>;
  /** Service accounts' API keys that weren't revoked, newest first. */
  listKeys(tenant: string, serviceAccountIds: readonly string[]): Promise<ApiTokenSummary[]>;
  /** Whose API key this is; undefined when the tenant has no such live key. */
  keyOwner(tenant: string, id: string): Promise<string | undefined>;
  /** Ends a token of either kind, everywhere at once. False when there was nothing left to end. */
  revoke(tenant: string, id: string, claim?: Claim): Promise<boolean>;
}

/** Holds what a new token rests on until the transaction ends. False when it has ended. */
export interface TokenBasis {
  holdSession(tx: Transaction, tenant: string, session: ActingSession): Promise<boolean>;
  holdGrant(tx: Transaction, tenant: string, grantId: string): Promise<boolean>;
}

export interface ApiTokensOptions {
  securityLog: SecurityLog;
  apiTokenStore: ApiTokenStore;
  serviceAccountStore: Pick<ServiceAccountStore, 'findServiceAccount'>;
  subjectStore: Pick<SubjectStore, 'lockForIssuing'>;
  credentialOwnerStore: Pick<CredentialOwnerStore, 'setOwner'>;
  knowers: Knowers;
  tokenBasis: TokenBasis;
  database: Transactions;
  revocations: Pick<RevocationFeed, 'append' | 'publish'>;
  tenants: Pick<Tenants, 'find'>;
  /** Of the tokens' digests. */
  digestKey: Key;
  accessTokenSeconds: number;
  clock: () => number;
}

const dayMs = 86_400_000;
const mostTokens = 50;
const hintLength = 4;

/** How long tokens live: unless the request says so, and at most. */
const lifetimes: Readonly<Record<ApiTokenKind, { standard: number; longest: number }>> = {
  personal: { standard: 90 * dayMs, longest: 366 * dayMs },
  service_account: { standard: 365 * dayMs, longest: 3 * 366 * dayMs },
};

/** What a personal access token can carry: everything a person's token can, but for what means refresh tokens. */
const personal = Object.keys({ ...oidcScopes, ...selfScopes, ...apiScopes }).filter(
  (scope) => scope !== 'offline_access',
);

/** The scopes a person may give to a token of theirs, in a fixed order. */
export const personalScopes = (roles: CountingRoles, within?: ReadonlySet<string>): string[] =>
  permittedScopes(personal, { scopes: personal }, roles).filter((scope) => within?.has(scope) ?? true);

/** Roles that a new token may rest on. Within a grant, the scopes of its access token are those of roles that count in it. */
const carriedWithin = ({ session, grantId }: TokenLimits): CarriedRoles =>
  session ? session.carriedRoles : grantId === undefined ? [] : null;

export class IssuedApiTokens implements ApiTokens {
  readonly #o: ApiTokensOptions;

  constructor(o: ApiTokensOptions) {
    this.#o = o;
  }

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
      // A request that a departure overtook must not leave behind what the departure would have ended.
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

  listPersonal(tenant: string, ids: readonly string[]): Promise<ApiTokenSummary[]> {
    return this.#o.apiTokenStore.listApiTokens(
      this.#o.database.sql,
      tenant,
      'subject_id',
      ids.filter(isUuid),
    );
  }

  personalOwner(tenant: string, id: string): Promise<string | undefined> {
    return this.#ownerOf('subject_id', tenant, id);
  }

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

  listKeys(tenant: string, ids: readonly string[]): Promise<ApiTokenSummary[]> {
    return this.#o.apiTokenStore.listApiTokens(
      this.#o.database.sql,
      tenant,
      'service_account_id',
      ids.filter(isUuid),
    );
  }

  keyOwner(tenant: string, id: string): Promise<string | undefined> {
    return this.#ownerOf('service_account_id', tenant, id);
  }

  async revoke(tenant: string, id: string, claim?: Claim): Promise<boolean> {
    if (!isUuid(id)) return false;
    const entries = await this.#o.database.transaction(async (tx): Promise<Revocation[]> => {
      const owner = await this.#o.apiTokenStore.revokeApiToken(tx, tenant, id);
      if (!owner) return [];
      const { subjectId, serviceAccountId, name } = owner;
      // Whose it was is of no table any more: it is what a repeat is answered with.
      await claim?.(tx, tenant, subjectId ?? serviceAccountId ?? id);
      await this.#o.securityLog.record(tx, tenant, {
        action: subjectId === null ? 'api_key.revoked' : 'personal_access_token.revoked',
        resourceType: subjectId === null ? 'ApiKey' : 'PersonalAccessToken',
        resourceId: id.toLowerCase(),
        ...(subjectId !== null && { subjectId }),
        changes: changesBetween({ name, serviceAccount: serviceAccountId }, undefined),
      });
      // It has to outlast only what verifiers remember of the token, not the token itself.
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
    if ((await this.#o.apiTokenStore.countApiTokens(tx, tenant, owner.column, owner.id)) >= mostTokens)
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

/** Control characters, halves of surrogate pairs, and what turns the direction of the text around it. */
const unprintable = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** A name that people can read: trimmed, without control characters, 1 to 100 characters. @throws OAuthError */
export function checkName(text: string): string {
  const name = text.trim();
  if (name === '' || [...name].length > 100 || unprintable.test(name)) {
    throw invalidRequest('The name must have 1 to 100 printable characters.');
  }
  return name;
}

function checkExpiry(kind: ApiTokenKind, wanted: Date | undefined, now: number): Date {
  const { standard, longest } = lifetimes[kind];
  if (wanted === undefined) return new Date(now + standard);
  if (wanted.getTime() <= now) throw invalidRequest('The token would already have expired.');
  if (wanted.getTime() > now + longest) {
    throw invalidRequest(`The token may live for ${longest / dayMs} days at most.`);
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
