import { type Claim, type Database, type Sql, statement, typed } from '@ostiary/database';
import { type KeyRing, openBytes, type ServiceKit, sealBytes } from '@ostiary/service';
import type { JWK } from 'jose';
import { record } from '../../audit/data/index.ts';
import type { Changes, SecurityAction } from '../../audit/index.ts';
import {
  type Connection,
  holdName,
  notify,
  type Prisma,
  type PrismaClient,
} from '../../database/data/index.ts';
import { LoadingCache, type TenantChanges } from '../../memory/index.ts';
import type { Signer, SigningAlgorithm, Verifier } from '../domain/jwt.ts';
import type { SigningKeySummary } from '../domain/signing-key-summary.ts';
import {
  type GenerateSigningKey,
  generateSigningKey,
  type KeyState,
  loadSigningKey,
  type NewSigningKey,
  type SigningKey,
} from '../domain/signing-keys.ts';

const channel = 'auth_signing_keys';
/** Without a notification, another process's change is seen after this long at most. */
const freshMs = 10_000;
/** An unknown key id makes the database be asked again at most this often. */
const cooldownMs = 200;
/** How long a retired key is still published at least; longer than any verifier's cache lives. */
const shortestPublishedMs = 24 * 3_600_000;

/** What every tenant signs with: access tokens, and ID tokens of clients that said nothing. */
const usualAlgorithms: readonly SigningAlgorithm[] = ['ES256', 'RS256'];

const read = {
  kid: true,
  alg: true,
  state: true,
  publicJwk: true,
  privateJwk: true,
  retiredAt: true,
} as const;

type KeyRow = Prisma.SigningKeyGetPayload<{ select: typeof read }>;

/** A client, as far as what it is sent is signed. */
interface SignedFor {
  readonly tenant: string;
  readonly idTokenSignedResponseAlg: SigningAlgorithm;
  /** RFC 7591 names. */
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Where a private key belongs. */
export const signingKeyContext = (tenant: string, kid: string): string => `${tenant}/${kid}`;

interface KeySet {
  keys: readonly SigningKey[];
  published: readonly JWK[];
}

/** The signing keys of all tenants: made on demand, encrypted in the database, kept in memory. */
export class SigningKeys {
  readonly #database: Pick<Database<PrismaClient>, 'sql' | 'transaction' | 'listen'>;
  readonly #ring: KeyRing;
  readonly #publishedMs: number;
  readonly #sets: LoadingCache<KeySet>;
  readonly #generate: GenerateSigningKey;

  constructor(o: {
    database: Pick<Database<PrismaClient>, 'sql' | 'transaction' | 'listen'>;
    /** Of private keys. */
    ring: KeyRing;
    /** Seconds the longest-lived token of ours is good for. */
    longestToken: number;
    tenantChanges: TenantChanges;
    kit: ServiceKit;
    generate?: GenerateSigningKey | undefined;
  }) {
    this.#generate = o.generate ?? generateSigningKey;
    this.#publishedMs = Math.max(shortestPublishedMs, o.longestToken * 1_000 + shortestPublishedMs / 24);
    this.#database = o.database;
    this.#ring = o.ring;
    this.#sets = new LoadingCache({
      max: 50_000,
      freshMs,
      // Signing and verifying go on while the database is asked, or is down.
      staleMs: 3_600_000,
      changes: { heard: o.tenantChanges, tenantOf: (tenant) => tenant },
      clock: o.kit.clock,
      load: (tenant) => this.#read(tenant),
      onRefreshError: (error) =>
        o.kit.log.warn(
          { event: 'signing_keys.refresh_failed', err: error },
          'Signing keys could not be refreshed',
        ),
    });
  }

  /** Follows changes made by other processes. Resolves to the function that stops it. */
  async start(): Promise<() => Promise<void>> {
    return this.#database.listen(channel, (tenant) => this.#sets.invalidate(tenant || undefined));
  }

  /** The tenant's current key of an algorithm, which is made now if there is none: a tenant has keys only of algorithms that it uses. */
  async signer(tenant: string, alg: SigningAlgorithm): Promise<Signer> {
    const found = currentKey(await this.#sets.get(tenant), alg);
    if (found) return found;
    await this.#createMissing(tenant, [...new Set([...usualAlgorithms, alg])]);
    this.#sets.invalidate(tenant);
    const created = currentKey(await this.#sets.get(tenant), alg);
    if (!created) throw new Error(`tenant has no ${alg} key`);
    return created;
  }

  /** A key of the tenant by its id: next, current or retired. Never creates one. */
  async verifier(tenant: string, kid: string): Promise<Verifier | undefined> {
    const find = (set: KeySet) => set.keys.find((key) => key.kid === kid);
    const found = find(await this.#sets.get(tenant));
    // A key another process has just made: look once more, but not for every made-up kid.
    if (found || this.#sets.age(tenant) <= cooldownMs) return found;
    this.#sets.invalidate(tenant);
    return find(await this.#sets.get(tenant));
  }

  /** What the tenant's JWKS document lists (RFC 7517 §5); a tenant without keys gets its first ones now. */
  async published(tenant: string): Promise<readonly JWK[]> {
    await this.signer(tenant, 'ES256');
    return this.existing(tenant);
  }

  /**
   * The same without making any: empty for a tenant that has none. `refresh` asks for what is in the database now, which
   * made-up key ids get at most five times a second.
   */
  async existing(tenant: string, refresh = false): Promise<readonly JWK[]> {
    if (refresh && this.#sets.age(tenant) > cooldownMs) this.#sets.invalidate(tenant);
    return (await this.#sets.get(tenant)).published;
  }

  /**
   * Publishes a next key of each algorithm that has none. They sign once `promote` finds them old enough.
   * @returns whether it made one
   */
  async prepare(tenant: string, algorithms: readonly SigningAlgorithm[], claim?: Claim): Promise<boolean> {
    for (const alg of algorithms) await this.signer(tenant, alg);
    return this.#change(tenant, async (tx) => {
      await claim?.(tx, tenant, tenant);
      let isNew = false;
      for (const alg of algorithms) {
        if (await nextKey(tx, tenant, alg)) continue;
        const key = await this.#generate(alg);
        await this.#insert(tx, tenant, key, 'next');
        await recordKey(tx, tenant, 'signing_key.prepared', key.kid, { alg: { after: alg } });
        isNew = true;
      }
      return isNew;
    });
  }

  /**
   * Makes a next key current that has been published for `leadSeconds`, and retires the one before.
   * @returns whether there was one
   */
  async promote(tenant: string, alg: SigningAlgorithm, leadSeconds: number): Promise<boolean> {
    return this.#change(tenant, async (tx) => {
      const next = await nextKey(tx, tenant, alg, leadSeconds);
      if (!next) return false;
      const prisma = await tx.prisma();
      await prisma.signingKey.updateMany({
        where: { tenant, alg, state: 'current' },
        data: { state: 'retired', retiredAt: new Date() },
      });
      await prisma.signingKey.update({
        where: { tenant_kid: { tenant, kid: next } },
        data: { state: 'current', activeAt: new Date() },
        select: { kid: true },
      });
      await recordKey(tx, tenant, 'signing_key.activated', next, { alg: { after: alg } });
      return true;
    });
  }

  /**
   * Removes every key of these algorithms for good and signs with new ones at once.
   * @param andThen what else belongs into the transaction, given the removed keys' ids
   */
  async replace(
    tenant: string,
    algorithms: readonly SigningAlgorithm[],
    andThen: (tx: Sql, removed: readonly string[]) => Promise<void>,
    claim?: Claim,
  ): Promise<void> {
    await this.#change(tenant, async (tx) => {
      await claim?.(tx, tenant, tenant);
      const all: string[] = [];
      for (const alg of algorithms) {
        const removed = (await removeKeys.rows(tx, { tenant, alg })).map(({ kid }) => kid);
        const key = await this.#generate(alg);
        await this.#insert(tx, tenant, key, 'current');
        await recordKey(tx, tenant, 'signing_key.replaced', key.kid, {
          alg: { after: alg },
          kid: { before: removed, after: key.kid },
        });
        all.push(...removed);
      }
      await andThen(tx, all);
    });
  }

  /** The algorithms that a tenant has keys of. */
  async algorithms(tenant: string): Promise<SigningAlgorithm[]> {
    await this.signer(tenant, 'ES256');
    return [...new Set((await this.#sets.get(tenant)).keys.map(({ alg }) => alg))];
  }

  /** Publishes the keys that answers to a client will be signed with, before any is: who keeps a key set finds them there. */
  async publishFor(client: SignedFor): Promise<void> {
    const { idTokenSignedResponseAlg: idToken, metadata } = client;
    const { userinfo_signed_response_alg: userinfo, introspection_signed_response_alg: introspection } =
      metadata as Partial<Record<string, SigningAlgorithm>>;
    for (const alg of new Set([idToken, userinfo, introspection])) {
      if (alg !== undefined) await this.signer(client.tenant, alg);
    }
  }

  /** The tenant's keys as an administrator sees them, newest first; none of what is secret. */
  async list(tenant: string): Promise<SigningKeySummary[]> {
    const prisma = await this.#database.sql.prisma();
    const rows = await prisma.signingKey.findMany({
      where: { tenant },
      select: { kid: true, alg: true, state: true, createdAt: true, activeAt: true, retiredAt: true },
      orderBy: [{ createdAt: 'desc' }, { kid: 'asc' }],
    });
    return rows as SigningKeySummary[];
  }

  /**
   * Keys for which it is time: `prepare` when the current one will be older than `rotationSeconds` before a successor
   * made now could sign, `promote` when the next one has been published for `leadSeconds`.
   */
  async due(
    o: { rotationSeconds: number; leadSeconds: number },
    limit: number,
  ): Promise<{ tenant: string; alg: SigningAlgorithm; step: 'prepare' | 'promote' }[]> {
    return dueKeys.rows(this.#database.sql, { ...o, limit });
  }

  /** A change of a tenant's keys: one process at a time, and all of them hear of it. */
  async #change<T>(tenant: string, work: (tx: Connection) => Promise<T>): Promise<T> {
    const result = await this.#database.transaction(async (tx) => {
      await lock(tx, tenant);
      await notify(tx, channel, tenant);
      return work(tx);
    });
    this.#sets.invalidate(tenant);
    return result;
  }

  async #read(tenant: string): Promise<KeySet> {
    const prisma = await this.#database.sql.prisma();
    const rows = await prisma.signingKey.findMany({
      where: { tenant },
      select: read,
      orderBy: { createdAt: 'desc' },
    });
    const publishedSince = Date.now() - this.#publishedMs;
    const isPublished = ({ state, retiredAt }: KeyRow): boolean =>
      state !== 'retired' || (retiredAt !== null && retiredAt.getTime() > publishedSince);
    const known = this.#sets.peek(tenant);
    const keys = rows.map((row) => this.#keyOf(tenant, row, known));
    const published = rows.filter(isPublished).map((row) => row.publicJwk as JWK);
    const isSame =
      known?.keys.length === keys.length && keys.every((key, index) => key === known.keys[index]);
    // What others made of it, such as key sets to verify with, stays good.
    return known && isSame && known.published.length === published.length ? known : { keys, published };
  }

  /** A key id is a digest of the key (RFC 7638), so what was decrypted under it before needs no decrypting again. */
  #keyOf(tenant: string, row: KeyRow, known: KeySet | undefined): SigningKey {
    const before = known?.keys.find(({ kid }) => kid === row.kid);
    if (!before) return this.#decrypt(tenant, row);
    return before.state === row.state ? before : { ...before, state: row.state as KeyState };
  }

  #decrypt(tenant: string, row: KeyRow): SigningKey {
    const privateJwk = JSON.parse(
      openBytes(this.#ring, Buffer.from(row.privateJwk), signingKeyContext(tenant, row.kid)).toString(),
    ) as JWK;
    return loadSigningKey({
      kid: row.kid,
      alg: row.alg as SigningAlgorithm,
      state: row.state as KeyState,
      publicJwk: row.publicJwk as JWK,
      privateJwk,
    });
  }

  async #createMissing(tenant: string, algorithms: readonly SigningAlgorithm[]): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await lock(tx, tenant);
      const prisma = await tx.prisma();
      const rows = await prisma.signingKey.findMany({
        where: { tenant, state: 'current' },
        select: { alg: true },
      });
      const existing = new Set(rows.map((row) => row.alg));
      const missing = algorithms.filter((alg) => !existing.has(alg));
      const keys = await Promise.all(missing.map((alg) => this.#generate(alg)));
      for (const key of keys) await this.#insert(tx, tenant, key, 'current');
      if (keys.length > 0) await notify(tx, channel, tenant);
    });
  }

  async #insert(tx: Connection, tenant: string, key: NewSigningKey, state: KeyState): Promise<void> {
    const { kid, alg, publicJwk, privateJwk } = key;
    const sealed = sealBytes(
      this.#ring,
      Buffer.from(JSON.stringify(privateJwk)),
      signingKeyContext(tenant, kid),
    );
    const prisma = await tx.prisma();
    await prisma.signingKey.create({
      data: {
        tenant,
        kid,
        alg,
        state,
        publicJwk: publicJwk as Prisma.InputJsonObject,
        privateJwk: new Uint8Array(sealed),
        activeAt: state === 'current' ? new Date() : null,
      },
      select: { kid: true },
    });
  }
}

const removeKeys = statement({
  name: 'signing_keys.remove',
  reason: 'atomic',
  text: 'DELETE FROM auth.signing_keys WHERE tenant = $tenant AND alg = $alg RETURNING kid',
  parameters: { tenant: 'text', alg: 'text' },
  columns: { kid: 'text' },
});

const dueKeys = statement({
  name: 'signing_keys.due',
  reason: 'set',
  text: `SELECT k.tenant, k.alg, CASE k.state WHEN 'next' THEN 'promote' ELSE 'prepare' END AS step
           FROM auth.signing_keys k
          WHERE k.state = 'next' AND k.created_at <= now() - make_interval(secs => $leadSeconds)
             OR k.state = 'current' AND k.active_at <= now() - make_interval(secs => GREATEST($rotationSeconds - $leadSeconds, 0))
                AND NOT EXISTS (SELECT 1 FROM auth.signing_keys n
                                WHERE n.tenant = k.tenant AND n.alg = k.alg AND n.state = 'next')
          ORDER BY k.created_at LIMIT $limit`,
  parameters: { rotationSeconds: 'float8', leadSeconds: 'float8', limit: 'int8' },
  columns: {
    tenant: 'text',
    alg: typed<SigningAlgorithm>('text'),
    step: typed<'prepare' | 'promote'>('text'),
  },
});

const recordKey = (
  tx: Sql,
  tenant: string,
  action: SecurityAction,
  kid: string,
  changes: Changes,
): Promise<void> => record(tx, tenant, { action, resourceType: 'SigningKey', resourceId: kid, changes });

/** The next key of an algorithm, if it has been there for so many seconds. */
async function nextKey(
  tx: Connection,
  tenant: string,
  alg: SigningAlgorithm,
  leadSeconds = 0,
): Promise<string | undefined> {
  const prisma = await tx.prisma();
  const row = await prisma.signingKey.findFirst({
    where: {
      tenant,
      alg,
      state: 'next',
      // Now, not when the transaction began, perhaps before it waited for whoever made the key.
      ...(leadSeconds > 0 && { createdAt: { lte: new Date(Date.now() - leadSeconds * 1_000) } }),
    },
    select: { kid: true },
  });
  return row?.kid;
}

const currentKey = (set: KeySet, alg: SigningAlgorithm): SigningKey | undefined =>
  set.keys.find((key) => key.alg === alg && key.state === 'current');

/** One process at a time makes or rotates the keys of a tenant; released at the end of the transaction. */
const lock = (tx: Sql, tenant: string): Promise<void> => holdName(tx, `auth/signing-keys/${tenant}`);
