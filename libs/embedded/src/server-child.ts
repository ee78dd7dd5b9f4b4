import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardian } from './guardian.ts';

/** Process of a database server from spawn to exit: reports its state, and a crash once it was ready. */
export class ServerChild {
  readonly pid: number | undefined;
  /** Resolves with the reason of the exit. */
  readonly exited: Promise<string>;
  #running = true;
  #ready = false;
  #wanted = true;

  /**
   * Create it immediately after the spawn: an earlier exit goes unnoticed.
   * @param onExit called at the exit of a server that was ready and is not being stopped
   */
  constructor(child: ChildProcess, onExit: ((reason: string) => void) | undefined) {
    this.pid = child.pid;
    this.exited = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, name) => resolve(name === null ? `exit code ${code}` : name));
    });
    void this.exited.then((reason) => {
      this.#running = false;
      if (child.pid !== undefined) guardian.release(child.pid);
      if (this.#wanted && this.#ready) onExit?.(reason);
    });
  }

  get running(): boolean {
    return this.#running;
  }

  /** Marks the exit as expected from now on. */
  retire(): void {
    this.#wanted = false;
  }

  /** Waits until it responds, exits or times out. */
  async becomesReady(
    answers: () => Promise<boolean>,
    timeoutMs: number,
  ): Promise<'ready' | 'ended' | 'late'> {
    const deadline = performance.now() + timeoutMs;
    while (this.#running) {
      this.#ready = await answers();
      if (this.#ready) return 'ready';
      if (performance.now() > deadline) return 'late';
      await sleep(15);
    }
    return 'ended';
  }
}
