import { Worker } from 'node:worker_threads';
import type { Trap } from './link.ts';
import type { Notice, Order } from './links-thread.ts';

/** A link in another thread (`link.ts`). Orders are executed in their order. */
export class RemoteLink {
  readonly from: string;
  readonly to: string;
  readonly #number: number;
  readonly #order: (order: Order) => void;
  #snap: (() => void) | undefined;

  constructor(o: { from: string; to: string; number: number; order: (order: Order) => void }) {
    this.from = o.from;
    this.to = o.to;
    this.#number = o.number;
    this.#order = o.order;
  }

  cut(target: string): void {
    this.#order({ kind: 'cut', link: this.#number, target });
  }

  mend(target: string, forget: boolean): void {
    this.#order({ kind: 'mend', link: this.#number, target, forget });
  }

  delay(ms: number): void {
    this.#order({ kind: 'delay', link: this.#number, ms });
  }

  trap(trap: Trap | undefined): void {
    this.#snap = trap?.snap;
    // A function cannot be sent to another thread.
    const { snap: _, ...rest } = trap ?? {};
    this.#order({ kind: 'trap', link: this.#number, trap: trap && (rest as Omit<Trap, 'snap'>) });
  }

  snapped(): void {
    const snap = this.#snap;
    this.#snap = undefined;
    snap?.();
  }
}

/** All links between processes, in their own thread. */
export class Links {
  readonly all: RemoteLink[] = [];
  readonly #thread = new Worker(new URL('./links-thread.ts', import.meta.url));
  readonly #listening = new Map<number, (port: number) => void>();
  readonly #ports = new Map<string, number>();

  constructor() {
    this.#thread.on('message', (notice: Notice) => {
      if (notice.kind === 'snapped') this.all[notice.link]?.snapped();
      else this.#listening.get(notice.link)?.(notice.port);
    });
    // An error of the test itself invalidates the run.
    this.#thread.on('error', (error) => {
      throw error;
    });
  }

  /** Creates a link on loopback to a database or to the processes of a service; returns its port. */
  async make(from: string, to: string): Promise<number> {
    const number = this.all.length;
    const order = (one: Order) => this.#thread.postMessage(one);
    this.all.push(new RemoteLink({ from, to, number, order }));
    const listens = new Promise<number>((resolve) => this.#listening.set(number, resolve));
    order({ kind: 'link', link: number, from, to });
    return listens;
  }

  /** Sets the port of a process. */
  listensAt(name: string, port: number): void {
    this.#ports.set(name, port);
    this.#thread.postMessage({ kind: 'ports', ports: this.#ports } satisfies Order);
  }

  /** Sets the processes that a load balancer does not choose. */
  areDown(down: ReadonlySet<string>): void {
    this.#thread.postMessage({ kind: 'down', down } satisfies Order);
  }

  async close(): Promise<void> {
    await this.#thread.terminate();
  }
}
