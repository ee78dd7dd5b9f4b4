import { createHash } from 'node:crypto';
import { keyStem, type Redis, readValid, type SealedValues } from '@ostiary/service';

/** Stores a value that the caller sealed for a short time, for the page after a form. */
export class SealedNotes {
  readonly #redis: Redis;
  readonly #stem: string;
  readonly #values: SealedValues;

  constructor(o: { redis: Redis; prefix: string; values: SealedValues }) {
    this.#redis = o.redis;
    this.#stem = keyStem(o.prefix, 'shown_once');
    this.#values = o.values;
  }

  async keep(tenant: string, id: string, sealed: Buffer, seconds: number): Promise<void> {
    const place = this.#placeOf(tenant, id);
    const value = this.#values.seal(place, sealed.toString('base64url'), seconds);
    await this.#redis.set(place.key, value, 'EX', seconds);
  }

  async kept(tenant: string, id: string): Promise<Buffer | undefined> {
    const place = this.#placeOf(tenant, id);
    const kept = await readValid(this.#redis.get(place.key));
    const opened = kept === null ? undefined : this.#values.open(place, kept);
    return opened === undefined ? undefined : Buffer.from(opened, 'base64url');
  }

  #placeOf(tenant: string, id: string) {
    const key = this.#stem + createHash('sha256').update(id).digest('base64url');
    return { purpose: 'shown_once', tenant, key } as const;
  }
}
