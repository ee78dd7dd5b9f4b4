import { createHash } from 'node:crypto';
import { statement } from '@ostiary/database';
import { OutgoingFetchError, type SafeFetch, type ServiceKit } from '@ostiary/service';
import type { Connection, Prisma } from '../../database/data/index.ts';
import { LoadingCache } from '../../memory/index.ts';
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
const renewedAfterSeconds = 86_400;
const retriedAfterSeconds = 600;

/**
 * Whether the picture is to be fetched now, and by this process: of several that see that it is due, one gets it. What is noted
 * before anything was asked for is the failure, so that it is also remembered by who doesn't live to see it.
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
    // Of an address that was replaced meanwhile, nothing is kept.
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
