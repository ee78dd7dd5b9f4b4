import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { keyObjectOf, keyStem, type Redis, redisReady, ServiceUnavailable } from '@ostiary/service';
import type { ProofAllowance, ProofSource } from './dpop-allowance.ts';
import { ProofError, type ProofExpectation, readProof } from './dpop-proof.ts';

export interface DpopOptions {
  redis: Redis;
  /** Prefix of the keys in Redis; all processes behind one origin share it. */
  prefix: string;
  /** Keys of nonces, the same for all processes behind one origin: made with the first, accepted by any. */
  nonceKeys: readonly Buffer[];
  /** How many marks each network may leave. */
  allowance: ProofAllowance;
  /** Wall clock, milliseconds. */
  clock: () => number;
}

/** Seconds after which a fresh nonce is handed out. */
const slotSeconds = 60;
/** How many slots a nonce is good for after its own. */
const slots = 5;
/** Longer than any nonce is good for, clocks that disagree by a slot included. */
const rememberSeconds = (slots + 3) * slotSeconds;
const macLength = 16;
const connecting: ReadonlySet<string> = new Set(['connecting', 'connect']);

/**
 * Proofs of possession (RFC 9449), for the authorization server and for every protected resource behind the same
 * origin.
 *
 * A proof must carry a nonce of ours: a time slot under a MAC, so nothing is stored for it and a proof can't be
 * made long before it is used. Clients keep one nonce per origin, so all processes share the key. Each proof leaves
 * its mark in Redis.
 */
export class DpopProofs {
  readonly #options: DpopOptions;

  constructor(options: DpopOptions) {
    this.#options = options;
  }

  /** The nonce to use from now on, for a `DPoP-Nonce` header. */
  async nonce(): Promise<string> {
    const [key] = this.#options.nonceKeys;
    if (!key) throw new Error('there is no key for nonces');
    return nonceOf(key, this.#slot());
  }

  /**
   * Verifies a proof and uses it up: of any number of parallel requests with it, one passes.
   * @param source who sends it: what a network may leave here is bounded before anything is written
   * @returns the thumbprint of its key
   * @throws ProofError; TooManyRequests; ServiceUnavailable when that can't be decided now
   */
  async verify(proof: string, expected: Omit<ProofExpectation, 'now'>, source: ProofSource): Promise<string> {
    const { jkt, jti, nonce } = readProof(proof, { ...expected, now: this.#options.clock() / 1000 });
    if (nonce === undefined) throw new ProofError('use_dpop_nonce', 'The DPoP proof needs a nonce.');
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
    if (first === null) throw new ProofError('invalid_dpop_proof', 'The DPoP proof was used before.');
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
      // A process of just now may be asked before it has its connection.
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
