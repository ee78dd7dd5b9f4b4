/** What one dependency answered last. */
export interface DependencyState {
  status: 'up' | 'down';
  required: boolean;
}

export interface HealthState {
  /** ready: all well. degraded: only optional dependencies are down. unavailable: don't send requests here. */
  status: 'ready' | 'degraded' | 'unavailable';
  draining: boolean;
  dependencies: Record<string, DependencyState>;
}

interface Check {
  probe: () => Promise<void>;
  required: boolean;
  last?: { at: number; result: Promise<DependencyState> };
}

const probeTimeout = 2_000;
const reuseFor = 250;

/**
 * True dependency state behind /readyz. A required dependency that is down makes the process unavailable; an
 * optional one only degraded, so that one failing service doesn't take its neighbours out of rotation.
 */
export class Health {
  readonly #checks = new Map<string, Check>();
  #draining = false;

  /** Registers a dependency. `probe` resolves when it is up; it has two seconds. */
  check(name: string, probe: () => Promise<void>, options: { required?: boolean } = {}): void {
    this.#checks.set(name, { probe, required: options.required ?? true });
  }

  /** From now on /readyz says 503, whatever the dependencies say. */
  drain(): void {
    this.#draining = true;
  }

  get draining(): boolean {
    return this.#draining;
  }

  async state(): Promise<HealthState> {
    const entries = await Promise.all(
      [...this.#checks].map(async ([name, check]) => [name, await this.#probe(check)] as const),
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

  // Probes are shared for a moment: a flood of /readyz must not become a flood on the database.
  #probe(check: Check): Promise<DependencyState> {
    const now = performance.now();
    if (check.last && now - check.last.at < reuseFor) return check.last.result;
    const result = this.#ask(check);
    check.last = { at: now, result };
    return result;
  }

  async #ask(check: Check): Promise<DependencyState> {
    let timer: NodeJS.Timeout | undefined;
    try {
      await Promise.race([
        check.probe(),
        new Promise((_, reject) => {
          timer = setTimeout(() => reject(new Error('timed out')), probeTimeout);
        }),
      ]);
      return { status: 'up', required: check.required };
    } catch {
      return { status: 'down', required: check.required };
    } finally {
      clearTimeout(timer);
    }
  }
}
