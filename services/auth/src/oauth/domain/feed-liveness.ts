import { type Principal, principalOf, type RevocationList } from '@ostiary/access';
import { isUuid } from '@ostiary/service';
import { LRUCache } from 'lru-cache';
import type { AccessTokenClaims, ReleasedClaims } from '../../grants/index.ts';
import { LoadingCache } from '../../memory/index.ts';
import type { PersonKey } from '../../subjects/index.ts';
import type { SignedClaims } from './access-token.ts';
import type {
  FollowedLiveness,
  GrantWitness,
  IssuedGrant,
  LivenessStore,
  TokenHolder,
  TokenLiveness,
  TokenOrigin,
} from './liveness.ts';

/** What never changes of what a token was issued on. */
interface TokenBasis {
  clientId: string;
  /** Absent: no person's. */
  holderId?: string;
  released?: ReleasedClaims;
}

export interface FeedLivenessOptions {
  store: Pick<LivenessStore, 'accessToken' | 'holder'>;
  /** Kept complete by this process's follower of the feed. */
  list: Pick<RevocationList, 'revoked' | 'isFresh' | 'onRevoked'>;
  /** How old the list, and what is remembered of a person, may be, in ms. */
  maxStalenessMs: number;
  /** The clock that the list is kept fresh by. */
  clock: () => number;
  /** What each of the two memories holds at most: characters of JSON, and what an entry takes besides. 16 million unless said. */
  room?: number;
}

const usualRoom = 16 * 1024 * 1024;
const entrySize = 256;
const sizeOf = (value: object | null): number => entrySize + JSON.stringify(value, withoutBigInt).length;
const withoutBigInt = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? value.toString() : value;

const dead: TokenLiveness = { live: false };

/**
 * Answers from memory whether access tokens are alive: by the revocations that this process follows, as every verifier does.
 * A grant's or an exchanged token's first answer is the database's, which says with it on what it was issued; that never
 * changes. Of a grant that this process issued a token from the database has said so when it was opened or refreshed. Only a list that is fresh counts for "alive", one that isn't sends each question to the database. What the list has
 * counts for "dead" however old it is.
 */
export class FeedLiveness implements FollowedLiveness, GrantWitness {
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
    // Asked last: meanwhile there may have been news. The feed names people by their id, whatever the token calls them.
    const { holder } = status;
    return status.live && !this.#revoked(of(principal, holder)) ? status : dead;
  }

  answering<T>(
    tenant: string,
    token: SignedClaims,
    holder: Pick<TokenHolder, 'id'> | undefined,
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    return this.#meanwhile.during(of(revocable(tenant, token), holder), work);
  }

  /** What ended it since is in the list, which is asked about each token. */
  issued(tenant: string, { grantId, clientId, subjectId, claims }: IssuedGrant): void {
    this.#bases.set(keyOf(tenant, grantId), {
      clientId,
      holderId: subjectId,
      ...(claims && { released: claims }),
    });
  }

  /** Forgets what a person was like: they were changed. Without a person, what everybody was like. */
  forget(person?: PersonKey): void {
    this.#holders.invalidate(person && keyOf(person.tenant, person.id));
  }

  #isFresh(): boolean {
    return this.#o.list.isFresh(this.#o.clock(), this.#o.maxStalenessMs);
  }

  #revoked(principal: Principal): boolean {
    return this.#o.list.revoked(principal);
  }

  /** Undefined: only the database knows. */
  async #remembered(
    tenant: string,
    claims: AccessTokenClaims,
    o: TokenOrigin,
  ): Promise<TokenLiveness | undefined> {
    const key = basisKey(tenant, claims);
    // A client that acts for itself: there is nothing to be known but whether it ended.
    if (key === undefined) return claims.sub_epoch === undefined ? { live: true } : undefined;
    const basis = this.#bases.get(key);
    if (!basis) return this.#first(tenant, key, claims, o);
    const { clientId, holderId, released } = basis;
    if (clientId !== claims.client_id || (isUuid(claims.sub) && claims.sub !== (holderId ?? claims.sub)))
      return dead;
    if (holderId === undefined) return { live: true };
    const holder = await this.#holders.get(keyOf(tenant, holderId));
    // Of one who is gone, or whose rights ended and began anew, the database knows more.
    if (!holder || holder.epoch !== claims.sub_epoch) return this.#first(tenant, key, claims, o);
    return { live: true, holder, ...(released && { released }) };
  }

  /** Asks the database, and remembers what it says besides. */
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

/** The session is its own, whatever the client knows it as. */
function revocable(tenant: string, { claims, keyId }: SignedClaims): Principal {
  return { ...principalOf({ ...claims }, tenant), keyId };
}

const of = (principal: Principal, holder: Pick<TokenHolder, 'id'> | undefined): Principal =>
  holder ? { ...principal, subject: holder.id } : principal;

/** One grant has many tokens; an exchanged token rests on others, each on its own. */
function basisKey(tenant: string, claims: AccessTokenClaims): string | undefined {
  if (claims.derived_from !== undefined) return keyOf(tenant, `jti/${claims.jti}`);
  return claims.grant_id === undefined ? undefined : keyOf(tenant, claims.grant_id);
}

const keyOf = (tenant: string, id: string): string => `${tenant}/${id}`;

/** A tenant's id has no slash, so the first one separates. */
function idsOf(key: string): [tenant: string, id: string] {
  const slash = key.indexOf('/');
  return [key.slice(0, slash), key.slice(slash + 1)];
}

interface Answering {
  principal: Principal;
  end(): void;
}

/**
 * What is asked of others for an answer takes its time, and the answer is worth nothing when the token has ended meanwhile: nobody waits
 * for it then.
 */
class AliveMeanwhile {
  readonly #list: Pick<RevocationList, 'revoked'>;
  /** By tenant. */
  readonly #answering = new Map<string, Set<Answering>>();

  constructor(list: Pick<RevocationList, 'revoked' | 'onRevoked'>) {
    this.#list = list;
    list.onRevoked(({ tenant }) => {
      for (const { principal, end } of this.#answering.get(tenant) ?? []) if (list.revoked(principal)) end();
    });
  }

  /** @returns undefined as soon as the principal is revoked; then what comes of the work is nobody's */
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
