import { createHash } from 'node:crypto';
import type { Sql } from '@ostiary/database';
import { OutgoingFetchError, type SafeFetch, type ServiceKit } from '@ostiary/service';
import { LoadingCache } from '../../keys/index.ts';
import { type Logo, maxLogoBytes, readLogo, UnfitLogo } from '../../tenants/index.ts';
import type { Client } from '../domain/client.ts';
import type { ClientLogos } from '../domain/client-logos.ts';
import { OutgoingPlaces } from './outgoing-places.ts';

/** Pictures that are fetched at a time, by one process: for all tenants, and for one of them. */
const mostFetches = 16;
const mostFetchesOfTenant = 4;
/** How long a picture is waited for in peace, in ms: after that another tenant that has none under way may need the place more. */
const peaceMs = 1_000;
/** Milliseconds for a picture, its name's address and its last byte included. */
const pictureMs = 5_000;
const freshMs = 1_000;

interface Copy {
  uri: string;
  digest: string | null;
  /** Whether it is time to ask for it (again). */
  due: boolean;
}

/** A copy is renewed once a day, and goes on being shown when that fails; after a failure without a copy it is tried again in ten minutes. */
const due =
  "tried_at < now() - CASE WHEN l.digest IS NULL THEN interval '10 minutes' ELSE interval '1 day' END";

export interface ClientLogosOptions {
  sql: Sql;
  fetch: SafeFetch;
  clock: () => number;
  log: ServiceKit['log'];
}

/** @see ClientLogos */
export class FetchedClientLogos implements ClientLogos {
  readonly #o: ClientLogosOptions;
  readonly #places: OutgoingPlaces;
  readonly #memory: LoadingCache<Copy | null>;

  constructor(o: ClientLogosOptions) {
    this.#o = o;
    this.#places = new OutgoingPlaces({
      most: mostFetches,
      mostOfTenant: mostFetchesOfTenant,
      mostOfClient: 1,
      peaceMs,
      clock: o.clock,
    });
    this.#memory = new LoadingCache<Copy | null>({
      max: 10_000,
      freshMs,
      clock: o.clock,
      load: (key) => copyOf(o.sql, parseKey(key)),
    });
  }

  async digestOf(client: Client): Promise<string | undefined> {
    const uri = client.logoUri;
    if (uri === null) return undefined;
    const copy = await this.#memory.get(keyOf(client)).catch((err: unknown) => {
      // No page fails for want of a picture.
      this.#o.log.warn(
        { err, tenant: client.tenant, clientId: client.clientId },
        'the logo of a client is not known',
      );
      return undefined;
    });
    if (copy === undefined) return undefined;
    const valid = copy?.uri === uri ? copy : null;
    if (!valid || valid.due) this.#fetchSoon(client, uri);
    return valid?.digest ?? undefined;
  }

  async logo(tenant: string, clientId: string, digest: string): Promise<Logo | undefined> {
    const { rows } = await this.#o.sql.query<Logo>(
      `SELECT l.type, l.data FROM auth.client_logos l JOIN auth.clients c USING (tenant, client_id)
        WHERE l.tenant = $1 AND l.client_id = $2 AND l.digest = $3
          AND c.metadata->>'logo_uri' = l.uri AND c.disabled_at IS NULL`,
      [tenant, clientId, digest],
    );
    return rows[0];
  }

  #fetchSoon(client: Client, uri: string): void {
    const { tenant, clientId } = client;
    const key = keyOf(client);
    const place = this.#places.take(key, client);
    if (!place) return;
    this.#renew(client, uri, place.signal)
      .catch((err) => this.#o.log.warn({ err, tenant, clientId }, 'the logo of a client is not renewed'))
      .finally(() => {
        place.leave();
        this.#memory.invalidate(key);
      });
  }

  async #renew(client: Client, uri: string, signal: AbortSignal): Promise<void> {
    const { sql, fetch } = this.#o;
    if (!(await claim(sql, client, uri))) return;
    const logo = await pictureAt(fetch, uri, signal);
    if (!logo) return;
    await sql.query(
      // Of an address that was replaced meanwhile, nothing is kept.
      `UPDATE auth.client_logos SET data = $4, type = $5, digest = $6
        WHERE tenant = $1 AND client_id = $2 AND uri = $3`,
      [
        client.tenant,
        client.clientId,
        uri,
        logo.data,
        logo.type,
        createHash('sha256').update(logo.data).digest('base64url'),
      ],
    );
  }
}

async function copyOf(
  sql: Sql,
  { tenant, clientId }: { tenant: string; clientId: string },
): Promise<Copy | null> {
  const { rows } = await sql.query<Copy>(
    `SELECT uri, digest, ${due} AS due FROM auth.client_logos l WHERE tenant = $1 AND client_id = $2`,
    [tenant, clientId],
  );
  return rows[0] ?? null;
}

/**
 * Whether the picture is to be fetched now, and by this process: of several that see that it is due, one gets it. What is noted
 * before anything was asked for is the failure, so that it is also remembered by who doesn't live to see it.
 */
async function claim(sql: Sql, { tenant, clientId }: Client, uri: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `INSERT INTO auth.client_logos AS l (tenant, client_id, uri)
     SELECT tenant, client_id, $3 FROM auth.clients
      WHERE tenant = $1 AND client_id = $2 AND metadata->>'logo_uri' = $3
     ON CONFLICT (tenant, client_id) DO UPDATE SET
       uri = excluded.uri,
       tried_at = excluded.tried_at,
       data = CASE WHEN l.uri = excluded.uri THEN l.data END,
       type = CASE WHEN l.uri = excluded.uri THEN l.type END,
       digest = CASE WHEN l.uri = excluded.uri THEN l.digest END
     WHERE l.uri <> excluded.uri OR l.${due}`,
    [tenant, clientId, uri],
  );
  return rowCount === 1;
}

/** The picture at an address, as far as it is one that a tenant's own logo could be. */
async function pictureAt(fetch: SafeFetch, uri: string, signal: AbortSignal): Promise<Logo | undefined> {
  try {
    const { body } = await fetch(uri, {
      accept: 'image/png, image/jpeg, image/webp',
      maxBytes: maxLogoBytes,
      timeoutMs: pictureMs,
      signal,
    });
    return readLogo(body);
  } catch (error) {
    if (error instanceof OutgoingFetchError || error instanceof UnfitLogo) return undefined;
    throw error;
  }
}

// A tenant's slug has no slash, so the first one separates.
const keyOf = ({ tenant, clientId }: Client): string => `${tenant}/${clientId}`;

const parseKey = (key: string): { tenant: string; clientId: string } => {
  const slash = key.indexOf('/');
  return { tenant: key.slice(0, slash), clientId: key.slice(slash + 1) };
};
