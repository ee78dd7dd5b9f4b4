import { type Principal, principalOf, type RevocationList } from '@ostiary/access';
import { isUuid } from '@ostiary/service';
import { LRUCache } from 'lru-cache';
import type { AccessTokenClaims, ReleasedClaims } from '../../access/index.ts';
import { LoadingCache } from '../../platform/index.ts';
import type { UserKey } from '../../tenancy/index.ts';
import type { SignedClaims } from './access-token.ts';
import type { IssuedGrant, LivenessStore, TokenHolder, TokenLiveness, TokenOrigin } from './liveness.ts';

/** The constant part of the basis on which a token was issued. */
interface TokenBasis {
  clientId: string;
  /** Absent if the token has no user. */
  holderId?: string;
  released?: ReleasedClaims;
}

export interface FeedLivenessOptions {
  store: LivenessStore;
  /** Kept complete by this process's follower of the revocation feed. */
  list: RevocationList;
  /** Maximum age of the list and of a cached user, in milliseconds. */
  maxStalenessMs: number;
  /** Clock of the list's freshness. */
  clock: () => number;
  /** Maximum size of each of the two caches, in characters of JSON and overhead. Default 16 million. */
  room?: number;
}

const usualRoom = 16 * 1024 * 1024;
const entrySize = 256;
const sizeOf = (value: object | null): number => entrySize + JSON.stringify(value, withoutBigInt).length;
const withoutBigInt = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

const dead: TokenLiveness = { live: false };

/**
 * Answers from memory whether access tokens are active, by the revocations that this process follows, as every
 * verifier does. The first answer for a grant or an exchanged token comes from the database, with the basis of the
 * token, which never changes. For a grant opened or refreshed in this process, the database has returned the basis
 * already. Only a fresh list permits the answer "active"; otherwise the database decides. A revocation in the list
 * means "inactive" regardless of the age of the list.
 */
export class FeedLiveness {
  readonly #o: FeedLivenessOptions;
  readonly #holders: LoadingCache<TokenHolder | null>;
  readonly #bases: LRUCache<string, TokenBasis>;
  readonly #meanwhile: AliveMeanwhile;

  constructor(options: FeedLivenessOptions) {
    const { room = usualRoom } = options;
    this.#o = options;
    this.#meanwhile = new AliveMeanwhile(options.list);
    this.#bases = new LRUCache<string, TokenBasis>({ maxSize: room, sizeCalculation: sizeOf });
    this.#holders = new LoadingCache({
      max: room,
      sizeOf,
      freshMs: options.maxStalenessMs,
      clock: options.clock,
      load: (key) => options.store.holder(...idsOf(key)),
    });
    options.list.onRevoked(({ kind, tenant, key }) => {
      if (kind === 'subject') this.#holders.invalidate(keyOf(tenant, key));
      if (kind === 'grant') this.#bases.delete(keyOf(tenant, key));
    });
  }

  async accessToken(tenant: string, token: SignedClaims, o: TokenOrigin): Promise<TokenLiveness> {
    const { store } = this.#o;
    const principal = revocable(tenant, token);
    if (this.#revoked(principal)) return dead;
    const known = this.#isFresh() ? await this.#remembered(tenant, token.claims, o) : undefined;
    const status = known && this.#isFresh() ? known : await store.accessToken(tenant, token.claims, o);
    // Checked last, because a revocation may have arrived in the meantime. The feed identifies users by id, also for
    // pairwise tokens.
    const { holder } = status;
    return status.live && !this.#revoked(of(principal, holder)) ? status : dead;
  }

  /**
   * Runs work for the answer about an active token.
   * @returns undefined as soon as the token is revoked in the meantime
   */
  answering<T>(
    tenant: string,
    token: SignedClaims,
    holder: TokenHolder | undefined,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    return this.#meanwhile.during(of(revocable(tenant, token), holder), work);
  }

  /** Stores the basis of an issued token. Revocations since then are in the list, which is checked for each token. */
  issued(tenant: string, { grantId, clientId, subjectId, claims }: IssuedGrant): void {
    this.#bases.set(keyOf(tenant, grantId), {
      clientId,
      holderId: subjectId,
      ...(claims && { released: claims }),
    });
  }

  /** Removes a changed user from the cache, or all users if none is given. */
  forget(person?: UserKey): void {
    this.#holders.invalidate(person && keyOf(person.tenant, person.id));
  }

  #isFresh(): boolean {
    return this.#o.list.isFresh(this.#o.clock(), this.#o.maxStalenessMs);
  }

  #revoked(principal: Principal): boolean {
    return this.#o.list.revoked(principal);
  }

  /** Returns undefined if only the database can answer. */
  async #remembered(
    tenant: string,
    claims: AccessTokenClaims,
    o: TokenOrigin,
  ): Promise<TokenLiveness | undefined> {
    const key = basisKey(tenant, claims);
    // A client that acts for itself: only a revocation can end the token.
    if (key === undefined) return claims.sub_epoch === undefined ? { live: true } : undefined;
    const basis = this.#bases.get(key);
    if (!basis) return this.#first(tenant, key, claims, o);
    const { clientId, holderId, released } = basis;
    if (clientId !== claims.client_id || (isUuid(claims.sub) && claims.sub !== (holderId ?? claims.sub)))
      return dead;
    if (holderId === undefined) return { live: true };
    const holder = await this.#holders.get(keyOf(tenant, holderId));
    // For an inactive user, or one with a new epoch, the database decides.
    if (!holder || holder.epoch !== claims.sub_epoch) return this.#first(tenant, key, claims, o);
    return { live: true, holder, ...(released && { released }) };
  }

  /** Reads the status from the database and caches the basis and the user. */
  #first(tenant: string, key: string, claims: AccessTokenClaims, o: TokenOrigin): Promise<TokenLiveness> {
    return this.#holders.keeping(
      async () => {
        const status = await this.#o.store.accessToken(tenant, claims, o);
        if (status.live) this.#bases.set(key, basisOf(claims, status));
        return status;
      },
      ({ live, holder }) => (live && holder ? [keyOf(tenant, holder.id), holder] : undefined),
    );
  }
}

const basisOf = (
  { client_id: clientId }: AccessTokenClaims,
  { holder, released }: TokenLiveness,
): TokenBasis => ({ clientId, ...(holder && { holderId: holder.id }), ...(released && { released }) });

/** Returns the principal of a token, with the id of its session. */
function revocable(tenant: string, { claims, keyId }: SignedClaims): Principal {
  return { ...principalOf({ ...claims }, tenant), keyId };
}

const of = (principal: Principal, holder: TokenHolder | undefined): Principal =>
  holder ? { ...principal, subject: holder.id } : principal;

/** A grant has many tokens. Each exchanged token has its own ancestors. */
function basisKey(tenant: string, claims: AccessTokenClaims): string | undefined {
  if (claims.derived_from !== undefined) return keyOf(tenant, `jti/${claims.jti}`);
  return claims.grant_id === undefined ? undefined : keyOf(tenant, claims.grant_id);
}

const keyOf = (tenant: string, id: string): string => `${tenant}/${id}`;

/** The id of a tenant contains no slash, so the first one separates. */
function idsOf(key: string): [tenant: string, id: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

interface Answering {
  principal: Principal;
  end(): void;
}

/** Ends requests to other services early if the token of the answer is revoked in the meantime. */
class AliveMeanwhile {
  readonly #list: RevocationList;
  /** Answers in progress, by tenant. */
  readonly #answering = new Map<string, Set<Answering>>();

  constructor(list: RevocationList) {
    this.#list = list;
    list.onRevoked(({ tenant }) => {
      for (const { principal, end } of this.#answering.get(tenant) ?? []) if (list.revoked(principal)) end();
    });
  }

  /** @returns undefined as soon as the principal is revoked; the result of the work is discarded then */
  async during<T>(principal: Principal, work: () => Promise<T>): Promise<T | undefined> {
    const ended = Promise.withResolvers<undefined>();
    const answering = { principal, end: () => ended.resolve(undefined) };
    const ofTenant = this.#answering.get(principal.tenant) ?? new Set();
    this.#answering.set(principal.tenant, ofTenant.add(answering));
    try {
      const result = await Promise.race([work(), ended.promise]);
      return this.#list.revoked(principal) ? undefined : result;
    } finally {
      ofTenant.delete(answering);
      if (ofTenant.size === 0) this.#answering.delete(principal.tenant);
    }
  }
}
