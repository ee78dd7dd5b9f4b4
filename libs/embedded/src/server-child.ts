import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardian } from './guardian.ts';

/** The process of a database server from its spawn to its end: says whether it runs, and reports a crash once it was ready. */
export class ServerChild {
  readonly pid: number | undefined;
  /** Resolves with why it ended. */
  readonly exited: Promise<string>;
  #running = true;
  #ready = false;
  #wanted = true;

  /**
   * To be made at once after the spawn: an end that comes before is never heard of.
   * @param onExit told of the end of a server that was ready and isn't being stopped
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

  /** From here on its end is wanted. */
  retire(): void {
    this.#wanted = false;
  }

  /** Until it answers, ends or is out of time. */
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
