import { createHmac } from 'node:crypto';
import { type Credentials, auth as defaultAuth } from '../../support/introspecting.ts';
import {
  type Answer,
  basicHeader,
  claimsOf,
  type RunningAuth,
  register,
} from '../../support/running-auth.ts';

export const orders = 'https://orders.example/v1';

export interface Entry {
  kind: string;
  digest?: string;
  epoch?: number;
  expires_at: number;
}

export interface Page {
  audience: string;
  digest_key: string;
  entries: Entry[];
  cursor: string;
  more: boolean;
  complete_after_ms?: number;
}

type Claims = Record<string, unknown>;

/** A request of the feed. */
export interface Asking {
  at?: RunningAuth;
  tenant?: string;
  by: Credentials;
  query?: Record<string, string>;
  prefer?: string;
}

/** Registers a resource server. */
export async function resourceServer(
  metadata: Parameters<typeof register>[1] = {},
  tenant = 'demo',
): Promise<Credentials> {
  const { client, clientSecret } = await register(
    defaultAuth,
    { grant_types: ['client_credentials'], redirect_uris: [], protected_resources: [orders], ...metadata },
    tenant,
  );
  return [client.clientId, clientSecret ?? ''];
}

export const ask = ({ at = defaultAuth, tenant = 'demo', by, query = {}, prefer }: Asking): Promise<Answer> =>
  at.get(`/t/${tenant}/revocations?${new URLSearchParams(query)}`, {
    authorization: basicHeader(...by),
    ...(prefer !== undefined && { prefer }),
  });

/** Returns a page. @throws Error for another answer */
export async function pageOf(asking: Asking): Promise<Page> {
  const { status, body } = await ask(asking);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body as unknown as Page;
}

/** Returns the digest of a value as docs/reference/revocation-feed.md defines it. */
export const digestOf = (digestKey: string, kind: string, value: string): string =>
  createHmac('sha256', Buffer.from(digestKey, 'base64url'))
    .update(`${kind}:${value}`)
    .digest()
    .subarray(0, 16)
    .toString('base64url');

/** Kinds whose entries may have an epoch, with the claim that contains the epoch of a token. */
const epochs: Readonly<Record<string, string>> = { sub: 'sub_epoch', client_id: 'client_epoch' };

/** A verifier that knows only the documentation of the feed. */
export class Follower {
  readonly #asking: Asking;
  readonly entries: Entry[] = [];
  page: Page | undefined;

  constructor(asking: Asking) {
    this.#asking = asking;
  }

  /** Fetches pages until there is no further one. @param o.wait seconds that the last response may be held */
  async follow({ at, wait }: { at?: RunningAuth; wait?: number } = {}): Promise<Entry[]> {
    const found: Entry[] = [];
    do {
      const after = this.page?.cursor;
      this.page = await pageOf({
        ...this.#asking,
        ...(at && { at }),
        query: { ...this.#asking.query, ...(after !== undefined && { after }) },
        ...(wait !== undefined && { prefer: `wait=${wait}` }),
      });
      found.push(...this.page.entries);
    } while (this.page.more);
    this.entries.push(...found);
    return found;
  }

  /** Reports whether an entry revokes a token. */
  revokes(token: string): boolean {
    const header = JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Claims;
    const claims = claimsOf(token);
    const ancestors = (claims.derived_from ?? []) as Claims[];
    const subjects: Claims[] = [{ ...claims, kid: header.kid }, ...ancestors];
    return this.entries.some((entry) => subjects.some((one) => this.#matches(entry, one)));
  }

  #matches({ kind, digest, epoch }: Entry, claims: Claims): boolean {
    if (kind === 'tenant') return true;
    const value = claims[kind];
    if (typeof value !== 'string' || digest !== digestOf(this.page?.digest_key ?? '', kind, value))
      return false;
    const own = claims[epochs[kind] ?? ''];
    return epoch === undefined || typeof own !== 'number' || own < epoch;
  }
}
