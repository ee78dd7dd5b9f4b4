import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants, setPriority } from 'node:os';

export interface RunOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Collects the output instead of printing it. */
  readonly quiet: boolean;
  /** Runs at a lower priority than the tests, which have timeouts. */
  readonly polite?: boolean;
  /** File that exists once the program has done its work; 30 seconds later the program is killed. */
  readonly finished?: string;
}

export interface Ended {
  readonly code: number | null;
  readonly output: string;
  /** Whether the program was killed because it did not exit after its work. */
  readonly hung: boolean;
}

const patienceSeconds = 30;
const keptOutput = 200_000;

/** Child processes of a run; all of them receive the signal that stops the run. */
export class Processes {
  readonly #running = new Set<ChildProcess>();
  #stopping = false;

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Forwards the signals that end a run, and stops when the parent process is gone. */
  stopOnSignals(): void {
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => this.stop(name));
    if (process.send !== undefined) process.on('disconnect', () => this.stop('SIGTERM'));
  }

  stop(signal: NodeJS.Signals): void {
    this.#stopping = true;
    for (const child of this.#running) child.kill(signal);
  }

  run(program: string, args: readonly string[], o: RunOptions): Promise<Ended> {
    return new Promise((settled) => {
      const child = spawn(program, args, {
        cwd: o.cwd,
        env: o.env,
        stdio: o.quiet ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit'],
      });
      this.#running.add(child);
      if (o.polite && child.pid !== undefined)
        setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
      let output = '';
      const collect = (chunk: Buffer) => {
        output = (output + chunk.toString()).slice(-keptOutput);
      };
      child.stdout?.on('data', collect);
      child.stderr?.on('data', collect);
      let hung = false;
      const watch = watchFor(o.finished, () => {
        hung = true;
        child.kill('SIGKILL');
      });
      const settle = (code: number | null) => {
        clearInterval(watch);
        this.#running.delete(child);
        settled({ code, output, hung });
      };
      child.once('error', (error) => {
        output += error.message;
        settle(1);
      });
      child.once('close', settle);
    });
  }
}

/** Kills Jest when it does not exit after it has written its results, because a test left something open. */
function watchFor(file: string | undefined, kill: () => void): NodeJS.Timeout {
  let patience = patienceSeconds;
  return setInterval(() => {
    if (file === undefined || !existsSync(file)) return;
    patience -= 1;
    if (patience === 0) kill();
  }, 1_000);
}
