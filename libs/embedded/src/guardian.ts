import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { identify, type ProcessIdentity } from './liveness.ts';
import { program } from './program.ts';

/**
 * A process to end when its supervisor is gone: lower ranks first, so that services drain before databases.
 */
export interface Ward extends ProcessIdentity {
  rank: number;
  signal: NodeJS.Signals;
  patienceMs: number;
}

/**
 * Runs a small second process that outlives this one just long enough to end the processes started here. It
 * watches a pipe, which closes on exit, crash or SIGKILL.
 */
class Guardian {
  #child: ChildProcess | undefined;
  readonly #wards = new Map<number, Ward>();

  watch(pid: number, how: { rank: number; signal: NodeJS.Signals; patienceMs: number }): void {
    const identity = identify(pid);
    if (identity === undefined) return;
    const ward = { ...identity, ...how };
    this.#wards.set(pid, ward);
    if (this.#child === undefined) this.#start();
    else this.#tell({ watch: ward });
  }

  release(pid: number): void {
    if (!this.#wards.delete(pid)) return;
    this.#tell({ release: pid });
    if (this.#wards.size === 0) {
      this.#child?.stdin?.end();
      this.#child = undefined;
    }
  }

  #start(): void {
    const child = spawn(
      process.execPath,
      ['--max-old-space-size=32', fileURLToPath(program('guardian-process'))],
      // A separate process group, so that Ctrl-C and signals to this group do not end it.
      { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', env: {} },
    );
    child.unref();
    // Pipes of children are sockets; an open one would keep this process from exiting.
    (child.stdin as (Writable & { unref?: () => void }) | null)?.unref?.();
    child.stdin?.on('error', () => undefined);
    child.on('error', () => undefined);
    child.once('exit', () => {
      if (this.#child !== child) return;
      this.#child = undefined;
      if (this.#wards.size > 0) this.#start();
    });
    this.#child = child;
    for (const ward of this.#wards.values()) this.#tell({ watch: ward });
  }

  #tell(message: { watch: Ward } | { release: number }): void {
    this.#child?.stdin?.write(`${JSON.stringify(message)}\n`);
  }
}

export const guardian = new Guardian();
