import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Algorithm, hashRaw } from '@node-rs/argon2';
import { type AcceptablePassword, maxPasswordBytes } from './new-password.ts';
import { costText, isSameCost, type PasswordCost } from './password-cost.ts';

/** RFC 9106 §3.1: type 2 is argon2id. The package's enumeration has no value at run time. */
const argon2id: Algorithm.Argon2id = 2;

const tagLength = 32;

/** Maximum number of outdated parameter sets that are considered. */
const maxFormerCosts = 4;

/** The queue of hashes is full. The response is 503, before a hash is computed. */
export class PasswordQueueFull extends Error {
  readonly statusCode = 503;
  constructor() {
    super('too many concurrent sign-ins');
    this.name = 'PasswordQueueFull';
  }
}

/**
 * Computes argon2id hashes through a queue. At most `concurrency` run simultaneously, so that a flood of sign-ins
 * leaves memory and the thread pool (DNS, files, signatures) to other work.
 */
export class PasswordHasher {
  readonly #limit: Limiter;
  readonly #cost: PasswordCost;
  /** Outdated parameters of verified hashes. */
  readonly #formerCosts: PasswordCost[] = [];

  readonly #onComputation: ((cost: PasswordCost) => void) | undefined;

  /**
   * @param o `cost`: parameters of new hashes; a stored hash contains its own. `onComputation`: called before each
   * argon2id computation
   */
  constructor(o: {
    concurrency: number;
    maxWaiting?: number;
    cost: PasswordCost;
    onComputation?: (cost: PasswordCost) => void;
  }) {
    this.#cost = o.cost;
    this.#onComputation = o.onComputation;
    this.#limit = new Limiter(o.concurrency, o.maxWaiting ?? 2_000);
  }

  /** Returns the PHC string (`$argon2id$v=19$m=…,t=…,p=…$salt$tag`) of a password. */
  hash(password: AcceptablePassword): Promise<string> {
    return this.#encoded(password);
  }

  /**
   * Reports whether the password matches the PHC string. A mismatch computes one hash with each parameter set in use,
   * also without a stored hash, so that the duration discloses neither its parameters nor its existence.
   */
  async verify(password: string, phc: string | undefined): Promise<boolean> {
    if (Buffer.byteLength(password) > maxPasswordBytes) return false;
    const stored = parsePhc(phc ?? '');
    if (stored) {
      this.#noteCost(stored.cost);
      const tag = await this.#derived(password, stored);
      if (timingSafeEqual(tag, stored.tag)) return true;
    }
    for (const cost of [this.#cost, ...this.#formerCosts]) {
      if (stored && isSameCost(cost, stored.cost)) continue;
      await this.#derived(password, { cost, salt: randomBytes(16) });
    }
    return false;
  }

  /** Returns a new hash of the same password; undefined if the parameters are current. */
  async rehash(password: string, phc: string): Promise<string | undefined> {
    const stored = parsePhc(phc);
    if (stored && isSameCost(stored.cost, this.#cost)) return undefined;
    return this.#encoded(password);
  }

  async #encoded(password: string): Promise<string> {
    const salt = randomBytes(16);
    const tag = await this.#derived(password, { cost: this.#cost, salt });
    return `$argon2id$v=19$${costText(this.#cost)}$${base64(salt)}$${base64(tag)}`;
  }

  #derived(password: string, { cost, salt, tag }: Omit<Phc, 'tag'> & { tag?: Buffer }): Promise<Buffer> {
    const { memory, passes, parallelism } = cost;
    return this.#limit.run(() => {
      this.#onComputation?.(cost);
      return hashRaw(normalise(password), {
        algorithm: argon2id,
        salt,
        outputLen: tag?.length ?? tagLength,
        memoryCost: memory,
        timeCost: passes,
        parallelism,
      });
    });
  }

  #noteCost(cost: PasswordCost): void {
    const known = [this.#cost, ...this.#formerCosts];
    if (known.length > maxFormerCosts || known.some((one) => isSameCost(one, cost))) return;
    this.#formerCosts.push(cost);
  }

  /** Number of queued hashes. */
  get waiting(): number {
    return this.#limit.waiting;
  }
}

interface Phc {
  cost: PasswordCost;
  salt: Buffer;
  tag: Buffer;
}

function parsePhc(text: string): Phc | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(text);
  if (!match) return undefined;
  return {
    cost: { memory: Number(match[1]), passes: Number(match[2]), parallelism: Number(match[3]) },
    salt: Buffer.from(match[4] ?? '', 'base64'),
    tag: Buffer.from(match[5] ?? '', 'base64'),
  };
}

/** NFC, because keyboards differ: é may be one code point or two (RFC 8265 §4.2). */
const normalise = (password: string): Buffer => Buffer.from(password.normalize('NFC'), 'utf8');

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '');

class Limiter {
  readonly #concurrency: number;
  readonly #maxWaiting: number;
  readonly #queue: (() => void)[] = [];
  #running = 0;

  constructor(concurrency: number, maxWaiting: number) {
    this.#concurrency = concurrency;
    this.#maxWaiting = maxWaiting;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#concurrency) {
      if (this.#queue.length >= this.#maxWaiting) throw new PasswordQueueFull();
      // A finished hash passes its slot to the next without freeing it, so that no other caller takes it.
      await new Promise<void>((resolve) => this.#queue.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      const next = this.#queue.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
