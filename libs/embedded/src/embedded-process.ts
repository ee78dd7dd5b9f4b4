import { setTimeout as sleep } from 'node:timers/promises';
import { gone, identify, signal } from './liveness.ts';
import type { EmbeddedServer } from './postgres.ts';

type Launch = (o: { port?: number; onExit: (reason: string) => void }) => Promise<EmbeddedServer>;

const pauseMs = 250;
const maxPauseMs = 10_000;

/** An embedded server as part of the system: it keeps its port and restarts after a crash. */
export class EmbeddedProcess {
  readonly name: string;
  readonly #launch: Launch;
  readonly #log: (message: string) => void;
  #server: EmbeddedServer | undefined;
  #port: number | undefined;
  #wanted = false;
  #returning: Promise<void> = Promise.resolve();

  constructor(name: string, launch: Launch, log: (message: string) => void) {
    this.name = name;
    this.#launch = launch;
    this.#log = log;
  }

  get pid(): number | undefined {
    return this.#server?.pids[0];
  }

  get url(): string {
    if (this.#server === undefined) throw new Error(`${this.name} is not running`);
    return this.#server.url;
  }

  async start(): Promise<void> {
    if (this.#server !== undefined) return;
    this.#wanted = true;
    const server = await this.#launch({
      ...(this.#port === undefined ? {} : { port: this.#port }),
      onExit: (reason) => this.#crashed(reason),
    });
    this.#port = server.port;
    this.#server = server;
  }

  /** Waits for the restart after a crash. */
  async ready(): Promise<void> {
    await this.#returning;
    if (this.#server === undefined) throw new Error(`${this.name} is not running`);
  }

  async stop(): Promise<void> {
    this.#wanted = false;
    await this.#returning;
    const server = this.#server;
    this.#server = undefined;
    await server?.stop();
  }

  /** Sends a signal. A resulting exit counts as a crash, unless `restart: false`. */
  async kill(name: NodeJS.Signals, o: { restart?: boolean } = {}): Promise<void> {
    const identity = this.pid === undefined ? undefined : identify(this.pid);
    if (identity === undefined) return;
    if (o.restart === false) this.#wanted = false;
    signal(identity, name);
    if (name !== 'SIGKILL') return;
    await gone(identity, 5_000);
    await sleep(20); // its exit must be noticed, so that ready() waits for the restart
  }

  #crashed(reason: string): void {
    this.#server = undefined;
    if (!this.#wanted) return;
    this.#log(`${this.name} ended (${reason}); starting it again`);
    this.#returning = this.#return();
  }

  async #return(): Promise<void> {
    for (let pause = pauseMs; this.#wanted; pause = Math.min(pause * 2, maxPauseMs)) {
      await sleep(pause);
      try {
        if (this.#wanted) await this.start();
        return;
      } catch (error) {
        this.#log(
          `${this.name} cannot be started: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  }
}
