import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Signatures } from '../keys/signatures.ts';
import type { Neighbours } from '../kit/kit.ts';

/** Header with the proof that a request comes directly from another Ostiary process. */
export const neighbourHeader = 'x-ostiary-neighbour';

const periodMs = 60_000;
/**
 * Maximum clock difference in periods; a proof is accepted for this many periods before and after its own.
 */
const tolerance = 5;

/**
 * Creates and verifies proofs that a request comes from an Ostiary process: a MAC with STREAM_KEY over the
 * current minute. A leaked proof expires after five minutes.
 */
export class NeighbourProofs implements Neighbours {
  readonly #signatures: Signatures;
  readonly #clock: () => number;
  #current: { period: number; value: string } | undefined;
  /** Verified proofs, with their period. */
  readonly #accepted = new Map<string, number>();

  /** @param clock milliseconds since the epoch */
  constructor(signatures: Signatures, clock: () => number) {
    this.#signatures = signatures;
    this.#clock = clock;
  }

  /** Returns the header's value for a request that is sent now. */
  value(): string {
    const period = this.#period();
    if (this.#current?.period !== period) {
      const signature = this.#signatures.sign('neighbour', 'http', String(period));
      this.#current = { period, value: `${period}.${signature}` };
    }
    return this.#current.value;
  }

  /** Reports whether a header value is the proof of an Ostiary process. */
  accepts(value: unknown): boolean {
    if (typeof value !== 'string') return false;
    const known = this.#accepted.get(value);
    if (known !== undefined) return this.#isCurrent(known);
    const [, period, signature] = /^(\d{1,12})\.(.{1,200})$/.exec(value) ?? [];
    if (period === undefined || !this.#isCurrent(Number(period))) return false;
    if (!this.#signatures.verifies('neighbour', 'http', period, signature)) return false;
    for (const [old, of] of this.#accepted) if (!this.#isCurrent(of)) this.#accepted.delete(old);
    this.#accepted.set(value, Number(period));
    return true;
  }

  #isCurrent = (period: number): boolean => Math.abs(period - this.#period()) <= tolerance;

  #period(): number {
    return Math.floor(this.#clock() / periodMs);
  }
}

/** Headers that proxies add, including the gateway. */
const forwarding = ['forwarded', 'via', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const;

/**
 * Reports whether headers other than `X-Forwarded-For` show that a request came through a proxy. Processes of
 * 0.2.0 send `X-Forwarded-For` without a proof.
 */
export const cameThroughProxy = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  forwarding.some((name) => headers[name] !== undefined);

/** Reports whether any header shows that a request came through a proxy. */
export const wasForwarded = (request: Pick<IncomingMessage, 'headers'>): boolean =>
  request.headers['x-forwarded-for'] !== undefined || cameThroughProxy(request);

/**
 * Reports whether a request comes from an Ostiary process or from this machine. Without proof of either, it
 * is external.
 */
export type IsInside = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean;

/** @param proofs undefined if no Ostiary process calls this one */
export const insideBy =
  (proofs: Pick<Neighbours, 'accepts'> | undefined): IsInside =>
  (request) => {
    const proof = request.headers[neighbourHeader];
    if (proof !== undefined) return proofs?.accepts(proof) ?? false;
    return !wasForwarded(request) && isLoopback(request.socket.remoteAddress);
  };

function isLoopback(address = ''): boolean {
  const plain = address.startsWith('::ffff:') ? address.slice(7) : address;
  return plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}
