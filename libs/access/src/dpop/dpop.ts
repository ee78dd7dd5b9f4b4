import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { keyObjectOf, keyStem, type Redis, redisReady, ServiceUnavailable } from '@ostiary/service';
import { ProofError, type ProofExpectation, readProof } from '@ostiary/verifier/core';
import type { ProofAllowance, ProofSource } from './dpop-allowance.ts';

export interface DpopOptions {
  redis: Redis;
  /** Prefix of keys in Redis, shared by all processes behind one origin. */
  prefix: string;
  /** Keys of nonces, equal for all processes behind one origin: the first creates them, any verifies them. */
  nonceKeys: readonly Buffer[];
  /** Limit of marks per network. */
  allowance: ProofAllowance;
  /** Wall clock in milliseconds. */
  clock: () => number;
}

/** Interval in seconds at which the nonce changes. */
const slotSeconds = 60;
/** Number of further slots in which a nonce is valid. */
const slots = 5;
/** Longer than the lifetime of any nonce, including a clock difference of one slot. */
const rememberSeconds = (slots + 3) * slotSeconds;
const macLength = 16;
const connecting: ReadonlySet<string> = new Set(['connecting', 'connect']);

/**
 * Proofs of possession (RFC 9449), for the authorization server and every protected resource behind the same
 * origin.
 * A proof must contain a nonce of this origin: a time slot with a MAC, which needs no storage and prevents
 * proofs made in advance. Clients keep one nonce per origin, so all processes share the key. Each proof
 * leaves a mark in Redis.
 */
export class DpopProofs {
  readonly #options: DpopOptions;

  constructor(options: DpopOptions) {
    this.#options = options;
  }

  /** Returns the current nonce, for a `DPoP-Nonce` header. */
  async nonce(): Promise<string> {
    const [key] = this.#options.nonceKeys;
    if (!key) throw new Error('there is no key for nonces');
    return nonceOf(key, this.#slot());
  }

  /**
   * Verifies a proof and marks it as used: of parallel requests with the same proof, one succeeds.
   * @param source sender, whose allowance is checked before anything is written
   * @returns the thumbprint of its key
   * @throws ProofError; TooManyRequests; ServiceUnavailable if Redis is unavailable
   */
  async verify(proof: string, expected: Omit<ProofExpectation, 'now'>, source: ProofSource): Promise<string> {
    const { jkt, jti, nonce } = readProof(proof, { ...expected, now: this.#options.clock() / 1000 });
    if (nonce === undefined) throw new ProofError('use_dpop_nonce', 'The DPoP proof must have a nonce.');
    if (!this.#accepts(nonce)) {
      throw new ProofError('use_dpop_nonce', 'The nonce of the DPoP proof is too old or unknown.');
    }
    await this.#options.allowance(source);
    const mark = createHash('sha256').update(`${jkt}\0${jti}`).digest('base64url');
    const first = await this.#available(() =>
      this.#options.redis.set(
        keyStem(this.#options.prefix, 'dpop_proof') + mark,
        '1',
        'EX',
        rememberSeconds,
        'NX',
      ),
    );
    if (first === null) throw new ProofError('invalid_dpop_proof', 'The DPoP proof has already been used.');
    return jkt;
  }

  #accepts(nonce: string): boolean {
    const slot = slotOf(nonce);
    const age = slot === undefined ? undefined : this.#slot() - slot;
    if (slot === undefined || age === undefined || age < -1 || age > slots) return false;
    return this.#options.nonceKeys.some((key) => same(nonceOf(key, slot), nonce));
  }

  #slot(): number {
    return Math.floor(this.#options.clock() / 1000 / slotSeconds);
  }

  async #available<T>(work: () => Promise<T>): Promise<T> {
    try {
      // A process that has just started may not be connected yet.
      if (connecting.has(this.#options.redis.status)) await redisReady(this.#options.redis, 2_000);
      return await work();
    } catch (error) {
      throw new ServiceUnavailable('redis', { cause: error });
    }
  }
}

function nonceOf(key: Buffer, slot: number): string {
  const time = Buffer.alloc(4);
  time.writeUInt32BE(slot);
  const mac = createHmac('sha256', keyObjectOf(key))
    .update('dpop-nonce')
    .update(time)
    .digest()
    .subarray(0, macLength);
  return Buffer.concat([time, mac]).toString('base64url');
}

function slotOf(nonce: string): number | undefined {
  const bytes = nonce.length > 64 ? undefined : Buffer.from(nonce, 'base64url');
  return bytes?.length === 4 + macLength ? bytes.readUInt32BE(0) : undefined;
}

function same(expected: string, given: string): boolean {
  const [a, b] = [Buffer.from(expected), Buffer.from(given)];
  return a.length === b.length && timingSafeEqual(a, b);
}
