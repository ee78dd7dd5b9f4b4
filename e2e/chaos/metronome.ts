import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** Time during which the machine was overloaded. Milliseconds of performance.now(). */
export interface Stall {
  from: number;
  to: number;
}

const everyMs = 50;
/**
 * Maximum duration of a minimal request on a machine with capacity, in milliseconds. An offboarding has about 20 hops.
 */
const maxStallMs = 60;

const server = `
const server = require('node:http').createServer((_, answer) => answer.end());
server.listen(0, '127.0.0.1', () => process.stdout.write(String(server.address().port)));
process.stdin.on('end', () => process.exit()).resume();`;

/**
 * Measures minimal requests to an idle process, which distinguishes a late answer of the system from a machine that is
 * busy with other work.
 */
export class Metronome {
  readonly stalls: Stall[] = [];
  readonly #child: ChildProcess;
  readonly #stopped = new AbortController();
  readonly #beating: Promise<void>;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.#beating = this.#beat(`http://127.0.0.1:${port}/`);
  }

  static async start(): Promise<Metronome> {
    const child = spawn(process.execPath, ['-e', server], { stdio: ['pipe', 'pipe', 'inherit'] });
    const [port] = await once(child.stdout as NodeJS.ReadableStream, 'data');
    return new Metronome(child, Number(String(port)));
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#beating;
    this.#child.kill('SIGKILL');
  }

  async #beat(url: string): Promise<void> {
    let last = performance.now();
    while (!this.#stopped.signal.aborted) {
      await sleep(everyMs);
      await fetch(url).then((answer) => answer.arrayBuffer());
      const now = performance.now();
      // Also when this process itself was not scheduled.
      if (now - last > everyMs + maxStallMs) this.#note({ from: last, to: now });
      last = now;
    }
  }

  #note(stall: Stall): void {
    const before = this.stalls.at(-1);
    if (before !== undefined && before.to >= stall.from) before.to = stall.to;
    else this.stalls.push(stall);
  }
}

/** Returns the milliseconds of a period in which the machine was not stalled. */
export function timeHad(stalls: readonly Stall[], from: number, to: number): number {
  const lost = stalls.reduce(
    (sum, stall) => sum + Math.max(0, Math.min(stall.to, to) - Math.max(stall.from, from)),
    0,
  );
  return to - from - lost;
}
