import { type Claim, type Database, notify, type Sql, statement, typed } from '@ostiary/database';
import { type KeyRing, openBytes, type ServiceKit, sealBytes } from '@ostiary/service';
import type { JWK } from 'jose';
import { record } from '../../../platform/audit/security-log.data.ts';
import { holdName } from '../../../platform/database/data/advisory-lock.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { Prisma, PrismaClient } from '../../../platform/database/generated/client.ts';
import type { Changes, SecurityAction } from '../../../platform/index.ts';
import { LoadingCache, type TenantChanges } from '../../../platform/index.ts';
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
/** Maximum delay before another process's change is visible without a notification, in milliseconds. */
const freshMs = 10_000;
/** Minimum interval of database reads for unknown key ids, in milliseconds. */
const cooldownMs = 200;
/** Minimum time for which a retired key is published, in milliseconds. Longer than the caches of verifiers. */
const minPublishedMs = 24 * 3_600_000;

/** Algorithms of every tenant: for access tokens, and for ID tokens of clients without a registered algorithm. */
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

/** A client whose responses are signed. */
interface SignedFor {
  readonly tenant: string;
  readonly idTokenSignedResponseAlg: SigningAlgorithm;
  /** RFC 7591 names. */
  readonly metadata: object;
}

/** Returns the context to which a sealed private key is bound. */
export const signingKeyContext = (tenant: string, kid: string): string => `${tenant}/${kid}`;

interface KeySet {
  keys: readonly SigningKey[];
  published: readonly JWK[];
}

/** Signing keys of all tenants: created on demand, encrypted in the database, cached in memory. */
export class SigningKeys {
  readonly #database: Database<PrismaClient>;
  readonly #ring: KeyRing;
  readonly #publishedMs: number;
  readonly #sets: LoadingCache<KeySet>;
  readonly #generate: GenerateSigningKey;

  constructor(o: {
    database: Database<PrismaClient>;
    /** Keys that encrypt private keys. */
    ring: KeyRing;
    /** Lifetime of the longest-lived token, in seconds. */
    maxTokenLifetimeSeconds: number;
    tenantChanges: TenantChanges;
    kit: ServiceKit;
    generate?: GenerateSigningKey | undefined;
  }) {
    this.#generate = o.generate ?? generateSigningKey;
    this.#publishedMs = Math.max(minPublishedMs, o.maxTokenLifetimeSeconds * 1_000 + minPublishedMs / 24);
    this.#database = o.database;
    this.#ring = o.ring;
    this.#sets = new LoadingCache({
      max: 50_000,
      freshMs,
      // Signing and verification continue while the database is slow or unavailable.
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

  /** Follows changes of other processes. Resolves to the function that stops it. */
  async start(): Promise<() => Promise<void>> {
    return this.#database.listen(channel, (tenant) => this.#sets.invalidate(tenant || undefined));
  }

  /** Returns the tenant's current key of an algorithm. Creates it on first use of the algorithm. */
  async signer(tenant: string, alg: SigningAlgorithm): Promise<Signer> {
    const found = currentKey(await this.#sets.get(tenant), alg);
    if (found) return found;
    await this.#createMissing(tenant, [...new Set([...usualAlgorithms, alg])]);
    this.#sets.invalidate(tenant);
    const created = currentKey(await this.#sets.get(tenant), alg);
    if (!created) throw new Error(`tenant has no ${alg} key`);
    return created;
  }

  /** Returns a key of the tenant by its id: next, current or retired. Never creates one. */
  async verifier(tenant: string, kid: string): Promise<Verifier | undefined> {
    const find = (set: KeySet) => set.keys.find((key) => key.kid === kid);
    const found = find(await this.#sets.get(tenant));
    // Another process may have created the key: reads again, but not for every unknown kid.
    if (found || this.#sets.age(tenant) <= cooldownMs) return found;
    this.#sets.invalidate(tenant);
    return find(await this.#sets.get(tenant));
  }

  /** Returns the keys of the tenant's JWKS document (RFC 7517 §5). Creates the first keys of a tenant. */
  async published(tenant: string): Promise<readonly JWK[]> {
    await this.signer(tenant, 'ES256');
    return this.existing(tenant);
  }

  /**
   * Returns the same without creating keys: empty for a tenant without any. `refresh` reads the database, at most
   * five times a second, so that unknown key ids cannot cause more reads.
   */
  async existing(tenant: string, refresh = false): Promise<readonly JWK[]> {
    if (refresh && this.#sets.age(tenant) > cooldownMs) this.#sets.invalidate(tenant);
    return (await this.#sets.get(tenant)).published;
  }

  /**
   * Publishes a next key of each algorithm without one; it signs after `promote`. Returns whether it created a key.
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
   * Makes a next key that was published for `leadSeconds` current and retires the previous one. False if there is
   * none.
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
   * Deletes every key of these algorithms and signs with new ones immediately.
   * @param andThen further work in the transaction, with the ids of the deleted keys
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

  /** Returns the algorithms of which a tenant has keys. */
  async algorithms(tenant: string): Promise<SigningAlgorithm[]> {
    await this.signer(tenant, 'ES256');
    return [...new Set((await this.#sets.get(tenant)).keys.map(({ alg }) => alg))];
  }

  /** Publishes the keys for responses to a client before they sign, for clients that cache the key set. */
  async publishFor(client: SignedFor): Promise<void> {
    const { idTokenSignedResponseAlg: idToken, metadata } = client;
    const { userinfo_signed_response_alg: userinfo, introspection_signed_response_alg: introspection } =
      metadata as Partial<Record<string, SigningAlgorithm>>;
    for (const alg of new Set([idToken, userinfo, introspection])) {
      if (alg !== undefined) await this.signer(client.tenant, alg);
    }
  }

  /** Returns the tenant's keys for administrators, newest first, without secrets. */
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
   * Returns keys that are due: `prepare` if the current one would exceed `rotationSeconds` before a new successor
   * could sign, `promote` if the next one has been published for `leadSeconds`.
   */
  async due(
    o: { rotationSeconds: number; leadSeconds: number },
    limit: number,
  ): Promise<{ tenant: string; alg: SigningAlgorithm; step: 'prepare' | 'promote' }[]> {
    return dueKeys.rows(this.#database.sql, { ...o, limit });
  }

  /** Changes a tenant's keys under a lock and notifies all processes. */
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
    // Returns the same object, so that derived values, such as key sets for verification, stay valid.
    return known && isSame && known.published.length === published.length ? known : { keys, published };
  }

  /** The key id is a digest of the key (RFC 7638), so a known key need not be decrypted again. */
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

/** Returns the id of the next key of an algorithm that has existed for `leadSeconds`. */
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
      // The current time, not the start of the transaction, which may have waited for the creation of the key.
      ...(leadSeconds > 0 && { createdAt: { lte: new Date(Date.now() - leadSeconds * 1_000) } }),
    },
    select: { kid: true },
  });
  return row?.kid;
}

const currentKey = (set: KeySet, alg: SigningAlgorithm): SigningKey | undefined =>
  set.keys.find((key) => key.alg === alg && key.state === 'current');

/** Serializes the creation and rotation of a tenant's keys until the end of the transaction. */
const lock = (tx: Sql, tenant: string): Promise<void> => holdName(tx, `auth/signing-keys/${tenant}`);
