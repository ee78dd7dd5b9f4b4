import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { Counter, type Registry } from '../kit/kit.ts';
import type { Logger } from '../kit/log.ts';
import type { SealedPurpose } from '../redis/keys.ts';
import type { KeyRing, RingKey } from './key-ring.ts';

/** Where a value belongs: taken anywhere else, it opens nothing. */
export interface Place {
  purpose: SealedPurpose;
  tenant: string;
  /** The name of its key in Redis, or the part of it that is the value's own. */
  key: string;
}

export interface SealedValuesOptions {
  /** Keys of nothing but these values. */
  ring: KeyRing;
  /** Milliseconds since the epoch. */
  clock: () => number;
  log: Logger;
  metrics: Registry;
}

const version = 1;
const headLength = 10;
const nonceLength = 12;
const tagLength = 16;
/** Seconds by which the clocks of two processes may disagree. */
const clockSkewSeconds = 60;

/**
 * What is put into Redis and believed when it comes back. Redis itself is believed nothing: whoever writes to it can take
 * values away, and that is all.
 *
 * AES-256-GCM. The key is derived (HMAC-SHA-256) for each place, so that a value moved to another key, tenant or purpose
 * doesn't open, and so that random nonces never come near their bound. An authentic value says itself until when it may be
 * believed: putting an old one back doesn't make it live longer.
 *
 * base64url of: version (1) ‖ id of the key (4) ‖ expiry, Unix seconds (5) ‖ nonce (12) ‖ ciphertext ‖ tag (16)
 */
export class SealedValues {
  readonly #options: SealedValuesOptions;
  readonly #keys = new Map<string, KeyObject>();
  readonly #refused: Counter<'purpose'>;

  constructor(options: SealedValuesOptions) {
    this.#options = options;
    this.#refused =
      (options.metrics.getSingleMetric('redis_values_refused_total') as Counter<'purpose'> | undefined) ??
      new Counter({
        name: 'redis_values_refused_total',
        help: 'Values, jobs and stream entries in Redis that are not ours, or not where we put them',
        labelNames: ['purpose'] as const,
        registers: [options.metrics],
      });
  }

  /** @param seconds how long it may be believed, at least as long as Redis keeps it */
  seal(place: Place, plaintext: string, seconds: number): string {
    const key = this.#options.ring.current;
    const head = Buffer.alloc(headLength + nonceLength);
    head[0] = version;
    head.write(key.id, 1, 'hex');
    head.writeUIntBE(Math.ceil(this.#options.clock() / 1000) + Math.ceil(seconds), 5, 5);
    randomBytes(nonceLength).copy(head, headLength);
    const cipher = createCipheriv('aes-256-gcm', this.#keyFor(key, place), head.subarray(headLength)).setAAD(
      head.subarray(0, headLength),
    );
    return Buffer.concat([
      head,
      cipher.update(plaintext, 'utf8'),
      cipher.final(),
      cipher.getAuthTag(),
    ]).toString('base64url');
  }

  /** What was sealed for this place; undefined, counted and logged when it wasn't, and undefined when its time is over. */
  open(place: Place, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    const plaintext = this.#decrypt(place, bytes);
    if (plaintext === undefined) {
      this.#refused.inc({ purpose: place.purpose });
      this.#options.log.warn(
        { event: 'redis.forged_value', purpose: place.purpose, tenant: place.tenant },
        'Redis value failed authentication; rejected',
      );
      return undefined;
    }
    const expiresAt = bytes.readUIntBE(5, 5);
    return this.#options.clock() / 1000 > expiresAt + clockSkewSeconds ? undefined : plaintext;
  }

  #decrypt(place: Place, bytes: Buffer): string | undefined {
    if (bytes.length < headLength + nonceLength + tagLength || bytes[0] !== version) return undefined;
    const id = bytes.toString('hex', 1, 5);
    const key = this.#options.ring.all.find((one) => one.id === id);
    if (!key) return undefined;
    const decipher = createDecipheriv(
      'aes-256-gcm',
      this.#keyFor(key, place),
      bytes.subarray(headLength, headLength + nonceLength),
      { authTagLength: tagLength },
    )
      .setAAD(bytes.subarray(0, headLength))
      .setAuthTag(bytes.subarray(-tagLength));
    try {
      const body = bytes.subarray(headLength + nonceLength, -tagLength);
      return decipher.update(body, undefined, 'utf8') + decipher.final('utf8');
    } catch {
      return undefined;
    }
  }

  /**
   * Each part with its length before it, so that no two places come to the same. Key objects and not bytes: OpenSSL takes them three
   * times as fast.
   */
  #keyFor(key: RingKey, { purpose, tenant, key: name }: Place): KeyObject {
    let prepared = this.#keys.get(key.id);
    if (prepared === undefined) {
      prepared = createSecretKey(key.bytes);
      this.#keys.set(key.id, prepared);
    }
    return createSecretKey(
      createHmac('sha256', prepared)
        .update(`${purpose.length}:${purpose}${tenant.length}:${tenant}${name}`)
        .digest(),
    );
  }
}
