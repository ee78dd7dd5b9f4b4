import { Counter, Gauge, type Registry } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';

/** What became of a sign-in. The last two are ours: `unavailable` for want of a dependency, `failed` by a fault of the program. */
const outcomes = ['accepted', 'refused', 'delayed', 'unavailable', 'failed'] as const;
type Outcome = (typeof outcomes)[number];

/** Where a sign-in begins and goes through: who gets no page here can't sign in either. */
const ways = ['/authorize', '/login', '/login/verify', '/login/passkey'].map((way) => `/t/:tenant${way}`);

const windowMs = 300_000;
/** Fewer failures within the window than these are somebody's bad luck. */
const leastFailures = 3;
/** Tenants that are counted at once; the one that failed first makes room. */
const mostTenants = 10_000;

interface Tally {
  since: number;
  failed: number;
  accepted: number;
}

/**
 * Tenants in which sign-ins fail by our fault, each by its own sign-ins: others, however many work, don't hide it. Wrong passwords
 * count for neither side, and a tenant is known here only from its first failure on.
 */
export class FailingTenants {
  readonly #tallies = new Map<string, Tally>();
  readonly #clock: () => number;

  /** @param clock in ms, monotonic */
  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  failed(tenant: string): void {
    const tally = this.#current(tenant) ?? { since: this.#clock(), failed: 0, accepted: 0 };
    tally.failed += 1;
    if (!this.#tallies.has(tenant) && this.#tallies.size >= mostTenants) {
      const [first] = this.#tallies.keys();
      if (first !== undefined) this.#tallies.delete(first);
    }
    this.#tallies.set(tenant, tally);
  }

  accepted(tenant: string): void {
    const tally = this.#current(tenant);
    if (tally) tally.accepted += 1;
  }

  /** In how many of them more sign-ins fail than work. */
  get count(): number {
    return [...this.#tallies.keys()].filter((tenant) => {
      const tally = this.#current(tenant);
      return tally !== undefined && tally.failed >= leastFailures && tally.failed > tally.accepted;
    }).length;
  }

  #current(tenant: string): Tally | undefined {
    const tally = this.#tallies.get(tenant);
    if (tally === undefined || this.#clock() - tally.since <= windowMs) return tally;
    this.#tallies.delete(tenant);
    return undefined;
  }
}

/** What is measured of sign-ins with a password, and of what fails on any way to one. */
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
    // From 0 on: what grows from nothing has not increased for Prometheus.
    for (const outcome of outcomes) this.#outcomes.inc({ outcome }, 0);
    const failing = this.#failing;
    new Gauge({
      name: 'auth_sign_ins_failing_tenants',
      help: 'Tenants in which more sign-ins failed by our fault than worked in the last minutes',
      registers: [registry],
      collect() {
        this.set(failing.count);
      },
    });
  }

  /** A password was looked at. What fails is counted by its answer. */
  looked(tenant: string, outcome: Exclude<Outcome, 'unavailable' | 'failed'>): void {
    this.#outcomes.inc({ outcome });
    if (outcome === 'accepted') this.#failing.accepted(tenant);
  }

  /** Counts the answers that are our fault, also those before a password is looked at. */
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
