import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Endpoint } from './balancer.ts';
import type { Notice, Order } from './balancers-thread.ts';

const patienceMs = 60_000;

/** Balancer for each service, in a separate thread. */
export class Balancers {
  readonly #thread = new Worker(new URL('./balancers-thread.ts', import.meta.url));
  readonly #listening = new Map<string, (port: number) => void>();
  readonly #ready = new Map<string, ReadonlySet<string>>();

  constructor() {
    this.#thread.on('message', (notice: Notice) => {
      if (notice.kind === 'listens') this.#listening.get(notice.service)?.(notice.port);
      else this.#ready.set(notice.service, new Set(notice.names));
    });
    // A failure of the balancer invalidates the test.
    this.#thread.on('error', (error) => {
      throw error;
    });
  }

  /** @param probeEveryMs interval of the readiness probes in ms. @returns the port */
  balance(service: string, probeEveryMs: number): Promise<number> {
    const listens = new Promise<number>((resolve) => this.#listening.set(service, resolve));
    this.#order({ kind: 'balance', service, probeEveryMs });
    return listens;
  }

  /** Sets the processes behind a balancer. Each receives connections when it is ready. */
  endpoints(service: string, endpoints: readonly Endpoint[]): void {
    this.#order({ kind: 'endpoints', service, endpoints });
  }

  /**
   * Resolves when a balancer starts or stops using a process. A rollout waits for the same readiness.
   * @throws Error after a timeout
   */
  async sees(service: string, name: string, isReady: boolean): Promise<void> {
    const deadline = performance.now() + patienceMs;
    while ((this.#ready.get(service)?.has(name) ?? false) !== isReady) {
      if (performance.now() > deadline) throw new Error(`${name} is not ${isReady ? 'ready' : 'away'}`);
      await sleep(20);
    }
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }

  #order(order: Order): void {
    this.#thread.postMessage(order);
  }
}
