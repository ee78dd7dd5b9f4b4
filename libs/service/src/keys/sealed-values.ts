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

/** Place of a value. A value cannot be opened at another place. */
export interface Place {
  purpose: SealedPurpose;
  tenant: string;
  /** Name of the key in Redis, or its part that identifies the value. */
  key: string;
}

export interface SealedValuesOptions {
  /** Keys that seal only these values. */
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
/** Maximum clock difference of two processes in seconds. */
const clockSkewSeconds = 60;

/**
 * Seals values that are read back from Redis and trusted. Redis itself is not trusted: an attacker with write
 * access can only delete values.
 * AES-256-GCM. The key is derived (HMAC-SHA-256) for each place, so that a value moved to another key, tenant
 * or purpose cannot be opened, and random nonces stay far below their limit. A value contains its expiry:
 * restoring an old one does not extend it.
 * base64url of: version (1) ‖ id of the key (4) ‖ expiry, Unix seconds (5) ‖ nonce (12) ‖ ciphertext ‖ tag
 * (16)
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
        help: 'Number of values, jobs and stream entries in Redis that failed authentication or were in the wrong place',
        labelNames: ['purpose'] as const,
        registers: [options.metrics],
      });
  }

  /** @param seconds lifetime, at least the TTL in Redis */
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

  /**
   * Returns the value sealed for this place; undefined if it has expired, and undefined, counted and logged
   * if it was not sealed for this place.
   */
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
   * Each part is preceded by its length, so that two places never give the same text. Key objects instead of
   * bytes: OpenSSL uses them three times as fast.
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
