import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { ScimError } from '@ostiary/scim';
import { type KeyRing, keyObjectOf } from '@ostiary/service';
import { type Caller, ownerOf } from '../../access/index.ts';
import type { ResourceType } from '../../protocol/index.ts';
import type { Selection } from '../../resources/index.ts';

export interface CursorOptions {
  /** Keys that are used for cursors only. */
  keys: KeyRing;
  /** Lifetime of a cursor in seconds, from the page that contained it. */
  lifetimeSeconds: number;
  /** Returns milliseconds since the epoch. */
  clock: () => number;
}

/** The scope of a cursor: it is invalid for any other tenant, caller, endpoint or query. */
export interface CursorScope {
  caller: Caller;
  /** Undefined for the search over all types. */
  type?: ResourceType;
  selection: Selection;
  /** `count` as the client sent it. */
  requested: number | undefined;
}

const algorithm = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;
/** Maximum length of a cursor in characters; a sorted search over all types has the longest. */
const longest = 65_536;

/**
 * Cursors (RFC 9865 §2). A cursor is an encrypted and authenticated position in a list, so nothing is stored for it:
 * any process can continue, and clients can neither read nor forge one.
 */
export class Cursors {
  readonly #options: CursorOptions;

  constructor(options: CursorOptions) {
    this.#options = options;
  }

  get lifetimeSeconds(): number {
    return this.#options.lifetimeSeconds;
  }

  /** Returns a cursor for a position in a list, which is any JSON. It contains only unreserved characters of URLs. */
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

  /** All invalid cursors get the same error. */
  #decrypt(scope: CursorScope, cursor: string): string {
    const refusal = (): ScimError =>
      ScimError.invalidCursor('The cursor does not belong to this query. Start with an empty cursor.');
    if (cursor.length > longest || !/^[\w-]+$/.test(cursor)) throw refusal();
    const bytes = Buffer.from(cursor, 'base64url');
    // Other encodings of the same bytes were never issued.
    if (bytes.length <= ivLength + tagLength || bytes.toString('base64url') !== cursor) throw refusal();
    for (const key of this.#options.keys.all) {
      const text = decrypted(key.bytes, boundTo(scope), bytes);
      if (text !== undefined) return text;
    }
    throw refusal();
  }
}

/** Returns undefined for a cursor of another key or query. */
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
