import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ScimError } from '@ostiary/scim';
import { type KeyRing, keyObjectOf } from '@ostiary/service';
import { type Caller, ownerOf } from '../../access/index.ts';
import type { ResourceType } from '../../protocol/index.ts';
import type { Selection } from '../../resources/index.ts';

export interface CursorOptions {
  /** Keys of nothing but cursors. */
  keys: KeyRing;
  /** How long a cursor is good for, from the page it came with, in seconds. */
  lifetimeSeconds: number;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** What a cursor belongs to. It means nothing with any other tenant, caller, endpoint or query. */
export interface CursorScope {
  caller: Caller;
  /** Undefined for the search over all types. */
  type?: ResourceType;
  selection: Selection;
  /** `count` as the client gave it. */
  requested: number | undefined;
}

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;
/** Longer than any cursor made here; a search over all types in a sort order has the longest. */
const longest = 65_536;

/**
 * Cursors (RFC 9865 section 2). A cursor is a position in a list, encrypted and authenticated, so that nothing has to
 * be kept for it: any process can go on where another one stopped, and nobody can read or make one.
 */
export class Cursors {
  readonly #options: CursorOptions;

  constructor(options: CursorOptions) {
    this.#options = options;
  }

  get lifetimeSeconds(): number {
    return this.#options.lifetimeSeconds;
  }

  /** Makes a cursor for a place in a list, which is any JSON. Only unreserved characters of URLs are in it. */
  seal(scope: CursorScope, place: unknown): string {
    const expiresAt = Math.ceil(this.#options.clock() / 1000) + this.#options.lifetimeSeconds;
    const iv = randomBytes(ivLength);
    const cipher = createCipheriv(algorithm, keyObjectOf(this.#options.keys.current.bytes), iv, {
      authTagLength: tagLength,
    });
    cipher.setAAD(boundTo(scope));
    const text = JSON.stringify([expiresAt, scope.requested ?? null, place]);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url');
  }

  /** @throws ScimError invalidCursor, expiredCursor, invalidCount */
  open(scope: CursorScope, cursor: string): unknown {
    const [expiresAt, requested, place] = JSON.parse(this.#decrypt(scope, cursor)) as [
      number,
      number | null,
      unknown,
    ];
    if (this.#options.clock() / 1000 > expiresAt) {
      throw ScimError.expiredCursor(
        `The cursor has expired: the next page must be requested within ${this.lifetimeSeconds} seconds. Start again with an empty cursor.`,
      );
    }
    if (requested !== (scope.requested ?? null)) {
      throw ScimError.invalidCount('"count" must be the same for all pages of a list.');
    }
    return place;
  }

  /** Whatever is wrong with a cursor, the answer is the same. */
  #decrypt(scope: CursorScope, cursor: string): string {
    const refusal = (): ScimError =>
      ScimError.invalidCursor('The cursor does not belong to this query. Start with an empty cursor.');
    if (cursor.length > longest || !/^[\w-]+$/.test(cursor)) throw refusal();
    const bytes = Buffer.from(cursor, 'base64url');
    // Other spellings of the same bytes aren't what was given out.
    if (bytes.length <= ivLength + tagLength || bytes.toString('base64url') !== cursor) throw refusal();
    for (const key of this.#options.keys.all) {
      const text = decrypted(key.bytes, boundTo(scope), bytes);
      if (text !== undefined) return text;
    }
    throw refusal();
  }
}

/** Undefined for what wasn't made with this key, or for another query. */
function decrypted(key: Buffer, scope: Buffer, bytes: Buffer): string | undefined {
  const decipher = createDecipheriv(algorithm, keyObjectOf(key), bytes.subarray(0, ivLength), {
    authTagLength: tagLength,
  });
  decipher.setAAD(scope);
  decipher.setAuthTag(bytes.subarray(-tagLength));
  try {
    const text = decipher.update(bytes.subarray(ivLength, -tagLength));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function boundTo({ caller, type, selection }: CursorScope): Buffer {
  const { filter, sortBy, sortOrder } = selection;
  return Buffer.from(
    JSON.stringify(
      [caller.tenant, ownerOf(caller), type, filter, sortBy, sortOrder].map((part) => part ?? null),
    ),
  );
}
