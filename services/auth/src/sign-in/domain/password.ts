import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { type AcceptablePassword, maxPasswordBytes } from './new-password.ts';

const derive = promisify(argon2);

/** What one hash takes (RFC 9106 §3.1): KiB of memory, passes over it, lanes. */
export interface PasswordCost {
  readonly memory: number;
  readonly passes: number;
  readonly parallelism: number;
}

/** OWASP's first choice for argon2id: 19 MiB, two passes, one lane. About 10–20 ms of one core. */
const productionCost: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 };
const tagLength = 32;

/** Too many sign-ins are waiting for a hash: the answer is 503, before anything was computed. */
export class PasswordQueueFull extends Error {
  readonly statusCode = 503;
  constructor() {
    super('too many sign-ins at once');
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
  /** Made once, of a password nobody knows: verifying against it costs what verifying a real one costs. */
  #decoy: Promise<string> | undefined;

  /** @param o `cost`: of new hashes, for tests that aren't about it; a verified one says its own */
  constructor(o: { concurrency: number; maxWaiting?: number; cost?: PasswordCost | undefined }) {
    this.#cost = o.cost ?? productionCost;
    this.#limit = new Limiter(o.concurrency, o.maxWaiting ?? 2_000);
  }

  /** The PHC string (`$argon2id$v=19$m=…,t=…,p=…$salt$tag`) of a password. */
  hash(password: AcceptablePassword): Promise<string> {
    return this.#limit.run(() => encode(password, this.#cost));
  }

  /** Whether the password is the one behind the PHC string; without one, does the same work and says no. */
  async verify(password: string, phc: string | undefined): Promise<boolean> {
    this.#decoy ??= encode(randomBytes(32).toString('base64url'), this.#cost);
    const parsed = parsePhc(phc ?? '') ?? parsePhc(await this.#decoy);
    if (!parsed || Buffer.byteLength(password) > maxPasswordBytes) return false;
    const tag = await this.#limit.run(() =>
      derive('argon2id', {
        message: normalise(password),
        nonce: parsed.salt,
        tagLength: parsed.tag.length,
        memory: parsed.memory,
        passes: parsed.passes,
        parallelism: parsed.parallelism,
      }),
    );
    return timingSafeEqual(tag, parsed.tag) && phc !== undefined;
  }

  /** Hashes waiting for their turn. */
  get waiting(): number {
    return this.#limit.waiting;
  }
}

async function encode(password: string, cost: PasswordCost): Promise<string> {
  const salt = randomBytes(16);
  const tag = await derive('argon2id', { message: normalise(password), nonce: salt, tagLength, ...cost });
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${base64(salt)}$${base64(tag)}`;
}

interface Phc extends PasswordCost {
  salt: Buffer;
  tag: Buffer;
}

function parsePhc(text: string): Phc | undefined {
  const match = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/.exec(text);
  if (!match) return undefined;
  return {
    memory: Number(match[1]),
    passes: Number(match[2]),
    parallelism: Number(match[3]),
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
