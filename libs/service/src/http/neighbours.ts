import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import type { Signatures } from '../keys/signatures.ts';
import type { Neighbours } from '../kit/kit.ts';

/** Header by which a process of ours proves to another that the request comes from it, and through no proxy of others. */
export const neighbourHeader = 'x-ostiary-neighbour';

const periodMs = 60_000;
/** Periods that clocks may differ by; a proof is accepted for no longer than this many before and after its own. */
const tolerance = 5;

/**
 * Proofs that a request comes from a process of ours: a MAC by STREAM_KEY over the current minute. One that leaks is worth nothing after
 * five minutes.
 */
export class NeighbourProofs implements Neighbours {
  readonly #signatures: Signatures;
  readonly #clock: () => number;
  #current: { period: number; value: string } | undefined;
  /** Proofs that were verified, with their period. */
  readonly #accepted = new Map<string, number>();

  /** @param clock milliseconds since the epoch */
  constructor(signatures: Signatures, clock: () => number) {
    this.#signatures = signatures;
    this.#clock = clock;
  }

  /** Value of the header for a request that is sent now. */
  value(): string {
    const period = this.#period();
    if (this.#current?.period !== period) {
      const signature = this.#signatures.sign('neighbour', 'http', String(period));
      this.#current = { period, value: `${period}.${signature}` };
    }
    return this.#current.value;
  }

  /** Whether the value of the header is the proof of a process of ours. */
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

/** Headers that proxies add, the gateway included. */
const forwarding = ['forwarded', 'via', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'] as const;

/** Whether a request says that it comes through a proxy, `X-Forwarded-For` left out: processes of 0.2.0 send it without a proof. */
export const cameThroughProxy = ({ headers }: Pick<IncomingMessage, 'headers'>): boolean =>
  forwarding.some((name) => headers[name] !== undefined);

/** Whether a request says in any way that it comes through a proxy. */
export const wasForwarded = (request: Pick<IncomingMessage, 'headers'>): boolean =>
  request.headers['x-forwarded-for'] !== undefined || cameThroughProxy(request);

/** Whether a request comes from a process of ours, or from this machine. A request that proves neither comes from outside. */
export type IsInside = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => boolean;

/** @param proofs undefined where no process of ours asks */
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
