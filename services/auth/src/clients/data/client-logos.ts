import { createHash } from 'node:crypto';
import { statement } from '@ostiary/database';
import { OutgoingFetchError, type SafeFetch, type ServiceKit } from '@ostiary/service';
import type { Connection } from '../../platform/database/data/connection.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { LoadingCache } from '../../platform/index.ts';
import { type Logo, maxLogoBytes, readLogo, UnfitLogo } from '../../tenancy/index.ts';
import type { Client } from '../domain/client.ts';
import type { ClientLogos } from '../domain/client-logos.ts';
import { OutgoingPlaces } from './outgoing-places.ts';

/** Maximum number of concurrent logo fetches of one process, in total and per tenant. */
const maxFetches = 16;
const maxFetchesOfTenant = 4;
/** Milliseconds after which a fetch may be aborted in favour of a tenant without one. */
const peaceMs = 1_000;
/** Timeout of a logo fetch in milliseconds, from the DNS lookup to the last byte. */
const pictureMs = 5_000;
const freshMs = 1_000;

interface Copy {
  uri: string;
  digest: string | null;
  /** True when the logo must be fetched, for the first time or again. */
  due: boolean;
}

/**
 * A copy is refreshed once a day and stays in use when that fails. Without a copy, a failed fetch is retried after ten
 * minutes.
 */
const renewedAfterSeconds = 86_400;
const retriedAfterSeconds = 600;

/**
 * Claims the fetch of a due logo for this process. It stores a failure before the fetch, so that a process that ends
 * during the fetch leaves a failure too.
 */
const claim = statement({
  name: 'clients.claim_logo',
  reason: 'atomic',
  text: `INSERT INTO auth.client_logos AS l (tenant, client_id, uri)
     SELECT tenant, client_id, $uri FROM auth.clients
      WHERE tenant = $tenant AND client_id = $clientId AND metadata->>'logo_uri' = $uri
     ON CONFLICT (tenant, client_id) DO UPDATE SET
       uri = excluded.uri,
       tried_at = excluded.tried_at,
       data = CASE WHEN l.uri = excluded.uri THEN l.data END,
       type = CASE WHEN l.uri = excluded.uri THEN l.type END,
       digest = CASE WHEN l.uri = excluded.uri THEN l.digest END
     WHERE l.uri <> excluded.uri OR l.tried_at < now() - make_interval(secs =>
       CASE WHEN l.digest IS NULL THEN ${retriedAfterSeconds} ELSE ${renewedAfterSeconds} END)`,
  parameters: { tenant: 'text', clientId: 'text', uri: 'text' },
});

export interface ClientLogosOptions {
  sql: Connection;
  fetch: SafeFetch;
  clock: () => number;
  log: ServiceKit['log'];
}

export class FetchedClientLogos implements ClientLogos {
  readonly #o: ClientLogosOptions;
  readonly #places: OutgoingPlaces;
  readonly #memory: LoadingCache<Copy | null>;

  constructor(o: ClientLogosOptions) {
    this.#o = o;
    this.#places = new OutgoingPlaces({
      most: maxFetches,
      maxOfTenant: maxFetchesOfTenant,
      maxOfClient: 1,
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
      // A page is shown without the logo rather than not at all.
      this.#o.log.warn(
        { event: 'client_logo.fetch_failed', err, tenant: client.tenant, clientId: client.clientId },
        'Client logo could not be fetched',
      );
      return undefined;
    });
    if (copy === undefined) return undefined;
    const valid = copy?.uri === uri ? copy : null;
    if (!valid || valid.due) this.#fetchSoon(client, uri);
    return valid?.digest ?? undefined;
  }

  async logo(tenant: string, clientId: string, digest: string): Promise<Logo | undefined> {
    const prisma = await this.#o.sql.prisma();
    const copy = await prisma.clientLogo.findUnique({
      where: { tenant_clientId: { tenant, clientId }, digest, client: { disabledAt: null } },
      select: { uri: true, type: true, data: true, client: { select: { metadata: true } } },
    });
    if (!copy?.data || copy.type === null || copy.uri !== logoUriOf(copy.client)) return undefined;
    return { type: copy.type as Logo['type'], data: Buffer.from(copy.data) };
  }

  #fetchSoon(client: Client, uri: string): void {
    const { tenant, clientId } = client;
    const key = keyOf(client);
    const place = this.#places.take(key, client);
    if (!place) return;
    this.#renew(client, uri, place.signal)
      .catch((err) =>
        this.#o.log.warn(
          { event: 'client_logo.refresh_failed', err, tenant, clientId },
          'Client logo could not be refreshed',
        ),
      )
      .finally(() => {
        place.leave();
        this.#memory.invalidate(key);
      });
  }

  async #renew(client: Client, uri: string, signal: AbortSignal): Promise<void> {
    const { sql, fetch } = this.#o;
    const { tenant, clientId } = client;
    if ((await claim.count(sql, { tenant, clientId, uri })) === 0) return;
    const logo = await pictureAt(fetch, uri, signal);
    if (!logo) return;
    const { type, data } = logo;
    const digest = createHash('sha256').update(data).digest('base64url');
    const prisma = await sql.prisma();
    // Stores nothing if the URI was changed in the meantime.
    await prisma.clientLogo.updateMany({
      where: { tenant, clientId, uri },
      data: { data: new Uint8Array(data), type, digest },
    });
  }
}

async function copyOf(
  sql: Connection,
  { tenant, clientId }: { tenant: string; clientId: string },
): Promise<Copy | null> {
  const prisma = await sql.prisma();
  const copy = await prisma.clientLogo.findUnique({
    where: { tenant_clientId: { tenant, clientId } },
    select: { uri: true, digest: true, triedAt: true },
  });
  if (!copy) return null;
  const { uri, digest, triedAt } = copy;
  const seconds = digest === null ? retriedAfterSeconds : renewedAfterSeconds;
  return { uri, digest, due: triedAt.getTime() < Date.now() - seconds * 1_000 };
}

const logoUriOf = ({ metadata }: { metadata: Prisma.JsonValue }): unknown =>
  (metadata as { logo_uri?: unknown }).logo_uri;

/** Returns the picture at an address, if it meets the rules for a tenant's own logo. */
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
