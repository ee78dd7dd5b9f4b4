import { createHash } from 'node:crypto';
import type { Database, Sql } from '@ostiary/database';
import { record } from '../../audit/data/index.ts';
import { changesBetween } from '../../audit/index.ts';
import { LoadingCache } from '../../keys/index.ts';
import { type ChangeTerms, requireVersion } from '../../protocol/index.ts';
import type { Branding, BrandingChange, Brandings } from '../domain/branding.ts';
import type { Logo } from '../domain/logo.ts';

/** What of it the security log tells. */
const loggedOf = ({ name, colour, logoDigest }: Branding) => ({ name, colour, logoDigest });

const freshMs = 1_000;
const none: Branding = { name: null, colour: null, logoDigest: null, version: 0 };
const columns = 'name, colour, logo_digest AS "logoDigest", version';

const readBranding = async (sql: Sql, tenant: string, lock = false): Promise<Branding> =>
  (
    await sql.query<Branding>(
      `SELECT ${columns} FROM auth.tenant_branding WHERE tenant = $1${lock ? ' FOR UPDATE' : ''}`,
      [tenant],
    )
  ).rows[0] ?? none;

export class PostgresBrandings implements Brandings {
  readonly #database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  readonly #memory: LoadingCache<Branding>;

  constructor({
    database,
    clock,
  }: {
    database: Pick<Database<unknown>, 'sql' | 'transaction'>;
    clock: () => number;
  }) {
    this.#database = database;
    this.#memory = new LoadingCache<Branding>({
      max: 10_000,
      freshMs,
      clock,
      load: (tenant) => readBranding(database.sql, tenant),
    });
  }

  find(tenant: string): Promise<Branding> {
    return this.#memory.get(tenant);
  }

  async change(tenant: string, change: BrandingChange, terms: ChangeTerms = {}): Promise<Branding> {
    const changed = await this.#database.transaction(async (tx) => {
      await terms.claim?.(tx, tenant, tenant);
      const before = await readBranding(tx, tenant, true);
      const after = await storeBranding(tx, tenant, change);
      // Not what was read: there was no row to lock when the tenant says something for the first time.
      requireVersion(terms, after.version - 1);
      const changes = changesBetween(loggedOf(before), loggedOf(after));
      if (Object.keys(changes).length > 0) {
        await record(tx, tenant, {
          action: 'tenant.branding_updated',
          resourceType: 'Tenant',
          resourceId: tenant,
          changes,
        });
      }
      return after;
    });
    this.#memory.invalidate(tenant);
    return changed;
  }

  async logo(tenant: string, digest: string): Promise<Logo | undefined> {
    const { rows } = await this.#database.sql.query<Logo>(
      `SELECT logo_type AS type, logo AS data FROM auth.tenant_branding
        WHERE tenant = $1 AND logo_digest = $2`,
      [tenant, digest],
    );
    return rows[0];
  }
}

/** Writes what changes of it, and returns what it is then. */
async function storeBranding(
  tx: Sql,
  tenant: string,
  { name, colour, logo }: BrandingChange,
): Promise<Branding> {
  const digest = logo ? createHash('sha256').update(logo.data).digest('base64url') : null;
  const { rows } = await tx.query<Branding>(
    `INSERT INTO auth.tenant_branding AS b (tenant, name, colour, logo, logo_type, logo_digest)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (tenant) DO UPDATE SET
           name = CASE WHEN $7 THEN excluded.name ELSE b.name END,
           colour = CASE WHEN $8 THEN excluded.colour ELSE b.colour END,
           logo = CASE WHEN $9 THEN excluded.logo ELSE b.logo END,
           logo_type = CASE WHEN $9 THEN excluded.logo_type ELSE b.logo_type END,
           logo_digest = CASE WHEN $9 THEN excluded.logo_digest ELSE b.logo_digest END,
           version = b.version + 1,
           updated_at = now()
         RETURNING ${columns}`,
    [
      tenant,
      name ?? null,
      colour ?? null,
      logo?.data ?? null,
      logo?.type ?? null,
      digest,
      name !== undefined,
      colour !== undefined,
      logo !== undefined,
    ],
  );
  return rows[0] ?? none;
}
