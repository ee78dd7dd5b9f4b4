import { Counter, Gauge, type Registry } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';

/**
 * Outcomes of a sign-in. The last two are errors of the server: `unavailable` of a dependency, `failed` of the
 * program.
 */
const outcomes = ['accepted', 'refused', 'delayed', 'unavailable', 'failed'] as const;
type Outcome = (typeof outcomes)[number];

/** Routes of a sign-in. An error in one of them prevents signing in. */
const ways = ['/authorize', '/login', '/login/verify', '/login/passkey'].map((way) => `/t/:tenant${way}`);

const windowMs = 300_000;
/** Minimum number of failures in the window for a tenant to count as failing. */
const minFailures = 3;
/** Maximum number of tenants with a tally. The oldest one is dropped. */
const maxTenants = 10_000;

interface Tally {
  since: number;
  failed: number;
  accepted: number;
}

/**
 * Tenants in which sign-ins fail through errors of the server. Counted per tenant, so that successful sign-ins of
 * other tenants do not hide the failures. Wrong passwords do not count, and a tenant has a tally only after its first
 * failure.
 */
export class FailingTenants {
  readonly #tallies = new Map<string, Tally>();
  readonly #clock: () => number;

  /** @param clock milliseconds, monotonic */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  failed(tenant: string): void {
    const tally = this.#current(tenant) ?? { since: this.#clock(), failed: 0, accepted: 0 };
    tally.failed += 1;
    if (!this.#tallies.has(tenant) && this.#tallies.size >= maxTenants) {
      const [first] = this.#tallies.keys();
      if (first !== undefined) this.#tallies.delete(first);
    }
    this.#tallies.set(tenant, tally);
  }

  accepted(tenant: string): void {
    const tally = this.#current(tenant);
    if (tally) tally.accepted += 1;
  }

  /** Number of tenants in which more sign-ins fail than succeed. */
  get count(): number {
    return [...this.#tallies.keys()].filter((tenant) => {
      const tally = this.#current(tenant);
      return tally !== undefined && tally.failed >= minFailures && tally.failed > tally.accepted;
    }).length;
  }

  #current(tenant: string): Tally | undefined {
    const tally = this.#tallies.get(tenant);
    if (tally === undefined || this.#clock() - tally.since <= windowMs) return tally;
    this.#tallies.delete(tenant);
    return undefined;
  }
}

/** Metrics of sign-ins with a password, and of server errors in the routes of a sign-in. */
export class SignInMetrics {
  readonly #outcomes: Counter<'outcome'>;
  readonly #failing = new FailingTenants();

  constructor(registry: Registry) {
    this.#outcomes = new Counter({
      name: 'auth_sign_ins_total',
      help: 'Number of sign-ins with a password by outcome; unavailable and failed are errors of the server',
      labelNames: ['outcome'] as const,
      registers: [registry],
    });
    // Initialized with 0, because Prometheus sees no increase in the first value of a new series.
    for (const outcome of outcomes) this.#outcomes.inc({ outcome }, 0);
    const failing = this.#failing;
    new Gauge({
      name: 'auth_sign_ins_failing_tenants',
      help: 'Number of tenants in which more sign-ins failed because of server errors than succeeded in the last five minutes',
      registers: [registry],
      collect() {
        this.set(failing.count);
      },
    });
  }

  /** Counts the outcome of a password check. Errors are counted by the response. */
  looked(tenant: string, outcome: Exclude<Outcome, 'unavailable' | 'failed'>): void {
    this.#outcomes.inc({ outcome });
    if (outcome === 'accepted') this.#failing.accepted(tenant);
  }

  /** Counts server errors, also before a password check. */
  watch(app: FastifyInstance): void {
    app.addHook('onResponse', (request, reply, done) => {
      if (reply.statusCode >= 500 && ways.includes(request.routeOptions.url ?? '')) {
        this.#outcomes.inc({ outcome: reply.statusCode === 503 ? 'unavailable' : 'failed' });
        this.#failing.failed((request.params as { tenant: string }).tenant);
      }
      done();
    });
  }
}
