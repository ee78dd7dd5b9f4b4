import { randomBytes, timingSafeEqual } from 'node:crypto';
import { type Algorithm, hashRaw } from '@node-rs/argon2';
import { type AcceptablePassword, maxPasswordBytes } from './new-password.ts';
import { costText, isSameCost, type PasswordCost } from './password-cost.ts';

/** RFC 9106 §3.1, type y: 2 is argon2id. The package's enumeration has no value at run time. */
const argon2id: Algorithm.Argon2id = 2;

const tagLength = 32;

/** Parameters that stored hashes have beside the configured ones; more than a few were never in use at once. */
const mostFormerCosts = 4;

/** Too many sign-ins are waiting for a hash: the answer is 503, before anything was computed. */
export class PasswordQueueFull extends Error {
  readonly statusCode = 503;
  constructor() {
    super('too many concurrent sign-ins');
    this.name = 'PasswordQueueFull';
  }
}

/**
 * Argon2id behind a queue: at most `concurrency` hashes run at once, so that a flood of sign-ins slows
 * sign-ins and leaves the thread pool (DNS, files, signatures) and memory to everything else.
 */
export class PasswordHasher {
  readonly #limit: Limiter;
  readonly #cost: PasswordCost;
  /** Of hashes that were made with other parameters, as they were met. */
  readonly #formerCosts: PasswordCost[] = [];

  readonly #onComputation: ((cost: PasswordCost) => void) | undefined;

  /** @param o `cost`: of new hashes; one that is verified says its own. `onComputation`: called before each argon2id */
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

  /** The PHC string (`$argon2id$v=19$m=…,t=…,p=…$salt$tag`) of a password. */
  hash(password: AcceptablePassword): Promise<string> {
    return this.#encoded(password);
  }

  /**
   * Whether the password is the one behind the PHC string. A no costs one hash with each parameters in use, whatever those of
   * the stored hash are and whether or not there is one: how long it takes says neither.
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

  /** The hash that should be stored instead of this one, of the same password; undefined when its parameters are those of today. */
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
    if (known.length > mostFormerCosts || known.some((one) => isSameCost(one, cost))) return;
    this.#formerCosts.push(cost);
  }

  /** Hashes waiting for their turn. */
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

/** One keyboard types é as one code point, another as two: both must sign in (RFC 8265 §4.2 uses NFC). */
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
      // The finishing hash hands its place over without freeing it, so nobody can slip in between.
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
