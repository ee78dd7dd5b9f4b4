import { Gauge, NotReady, type ServiceKit } from '@ostiary/service';
import { Verifier } from '@ostiary/verifier/core';
import type { HostRules } from './rules/index.ts';

export interface VerifiersOptions {
  kit: ServiceKit;
  issuer: string;
  clientId: string;
  clientSecret: string;
  maxStalenessSeconds: number;
}

/** After it, a first failure was reported. */
const readyMs = 10_000;

/** Verifiers of all hosts. Hosts with the same audience and origin share one, and so a revocation list. */
export class Verifiers {
  readonly #o: VerifiersOptions;
  readonly #verifiers = new Map<string, { audience: string; verifier: Verifier }>();
  /** Whether all lists have been read once. */
  #isLoaded = false;

  constructor(options: VerifiersOptions) {
    this.#o = options;
    this.#checkHealth();
    this.#measure();
  }

  /** Returns the verifier of a host. */
  of({ audience, origin }: Pick<HostRules, 'audience' | 'origin'>): Verifier {
    const id = `${audience} ${origin}`;
    const known = this.#verifiers.get(id) ?? { audience, verifier: this.#create(audience, origin) };
    this.#verifiers.set(id, known);
    return known.verifier;
  }

  /** Begins to follow the revocation feeds. A failure is reported in the log, and following continues. */
  start(): void {
    for (const verifier of this.#all) verifier.ready(readyMs).catch(() => undefined);
  }

  stop(): void {
    for (const verifier of this.#all) verifier.stop();
  }

  get #all(): Verifier[] {
    return [...this.#verifiers.values()].map(({ verifier }) => verifier);
  }

  #create(audience: string, publicOrigin: string): Verifier {
    const { kit, issuer, clientId, clientSecret, maxStalenessSeconds } = this.#o;
    return new Verifier({
      issuer,
      audience,
      clientId,
      clientSecret,
      publicOrigin,
      maxStalenessSeconds,
      onProblem: (error) =>
        kit.log.warn({ event: 'guard.issuer_failed', audience, err: error }, 'Request to the issuer failed'),
    });
  }

  #checkHealth(): void {
    const { health } = this.#o.kit;
    // Until then each request would need the issuer. Later, an outage of the issuer must not remove all guards.
    health.check('access', async () => {
      this.#isLoaded ||= this.#all.every(({ state }) => state.ageMs < Number.POSITIVE_INFINITY);
      if (!this.#isLoaded) throw new NotReady('not_loaded');
    });
    const fresh = async (): Promise<void> => {
      if (this.#all.some(({ state }) => !state.fresh)) throw new NotReady('stale');
    };
    health.check('revocations', fresh, {
      required: false,
      impairs:
        'Each token is introspected, and requests with tokens are rejected if the issuer does not respond.',
    });
  }

  #measure(): void {
    const verifiers = this.#verifiers;
    new Gauge({
      name: 'revocation_list_age_seconds',
      help: 'Seconds since the revocation list of an audience was last known to be complete',
      labelNames: ['audience'] as const,
      registers: [this.#o.kit.metrics],
      collect() {
        for (const { audience, verifier } of verifiers.values())
          this.set({ audience }, verifier.state.ageMs / 1_000);
      },
    });
  }
}
