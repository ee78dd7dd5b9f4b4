import { Gauge, type Registry } from 'prom-client';
import { type FailureReason, failureReasons, NotReady, reasonOf } from './reasons.ts';

/** Last result of a dependency check. */
export interface DependencyState {
  status: 'up' | 'down';
  required: boolean;
  /** Reason of the failure, as a code and a sentence. */
  reason?: FailureReason;
  message?: string;
  /** Functions that do not work while it is down. */
  impairs?: string;
}

export interface HealthState {
  /**
   * ready: all dependencies are up. degraded: only optional ones are down. unavailable: the process must get
   * no requests.
   */
  status: 'ready' | 'degraded' | 'unavailable';
  draining: boolean;
  dependencies: Record<string, DependencyState>;
}

export interface CheckOptions {
  /**
   * Whether the process must get no requests while the dependency is down, for any reason or for some.
   * Default true.
   */
  required?: boolean | ((reason: FailureReason) => boolean);
  /** Functions that do not work while it is down, as a sentence for operators. */
  impairs?: string;
}

interface Check extends CheckOptions {
  probe: () => Promise<void>;
  last?: { at: number; result: Promise<DependencyState>; pending: boolean };
}

const probeTimeout = 2_000;
const reuseFor = 250;

/**
 * State of the dependencies behind /readyz. A required dependency that is down makes the process unavailable,
 * an optional one only degraded, so that one failing service does not remove others from rotation.
 */
export class Health {
  readonly #checks = new Map<string, Check>();
  #draining = false;

  /**
   * Registers a dependency. `probe` resolves if it is up and throws `NotReady` otherwise; its timeout is two
   * seconds.
   */
  check(name: string, probe: () => Promise<void>, options: CheckOptions = {}): void {
    this.#checks.set(name, { probe, ...options });
  }

  /** Makes /readyz return 503 from now on, independent of the dependencies. */
  drain(): void {
    this.#draining = true;
  }

  get draining(): boolean {
    return this.#draining;
  }

  /** @param tolerated reasons for which a required dependency that is down leaves the process degraded */
  async state(tolerated: ReadonlySet<FailureReason> = new Set()): Promise<HealthState> {
    const entries = await Promise.all(
      [...this.#checks].map(async ([name, check]) => {
        const dependency = await this.#probe(check);
        const isTolerated = dependency.reason !== undefined && tolerated.has(dependency.reason);
        return [name, isTolerated ? { ...dependency, required: false } : dependency] as const;
      }),
    );
    const down = entries.filter(([, dependency]) => dependency.status === 'down');
    const status =
      this.#draining || down.some(([, dependency]) => dependency.required)
        ? 'unavailable'
        : down.length > 0
          ? 'degraded'
          : 'ready';
    return { status, draining: this.#draining, dependencies: Object.fromEntries(entries) };
  }

  // Concurrent and recent probes are shared, so that many /readyz requests do not load the database.
  #probe(check: Check): Promise<DependencyState> {
    const now = performance.now();
    if (check.last && (check.last.pending || now - check.last.at < reuseFor)) return check.last.result;
    const last = { at: now, result: this.#ask(check), pending: true };
    check.last = last;
    void last.result.then(() => {
      last.pending = false;
    });
    return last.result;
  }

  async #ask({ probe, required = true, impairs }: Check): Promise<DependencyState> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await Promise.race([
        probe(),
        new Promise((_, reject) => {
          timer = setTimeout(() => reject(new NotReady('timeout')), probeTimeout);
        }),
      ]);
      return { status: 'up', required: required !== false };
    } catch (error) {
      const reason = reasonOf(error);
      return {
        status: 'down',
        required: typeof required === 'function' ? required(reason) : required,
        reason,
        message: failureReasons[reason],
        ...(impairs !== undefined && { impairs }),
      };
    } finally {
      clearTimeout(timer);
    }
  }
}

/** Exports the state of /readyz as metrics, read at each collection. */
export function measureHealth(metrics: Registry, health: Health): void {
  const ready = new Gauge({
    name: 'process_ready',
    help: 'Whether this process accepts requests (1) or not (0), as /readyz reports',
    registers: [metrics],
    async collect() {
      const state = await health.state();
      ready.set(state.status === 'unavailable' ? 0 : 1);
    },
  });
  const up = new Gauge({
    name: 'dependency_up',
    help: 'Whether a dependency of this process works (1) or not (0)',
    labelNames: ['dependency'] as const,
    registers: [metrics],
    async collect() {
      const { dependencies } = await health.state();
      for (const [dependency, { status }] of Object.entries(dependencies))
        up.set({ dependency }, status === 'up' ? 1 : 0);
    },
  });
  const failure = new Gauge({
    name: 'dependency_failure',
    help: 'Reason why a dependency of this process does not work (1 while it does not)',
    labelNames: ['dependency', 'reason'] as const,
    registers: [metrics],
    async collect() {
      const { dependencies } = await health.state();
      failure.reset();
      for (const [dependency, { reason }] of Object.entries(dependencies))
        if (reason !== undefined) failure.set({ dependency, reason }, 1);
    },
  });
}
