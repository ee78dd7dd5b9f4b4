import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { guardian } from './guardian.ts';
import { end, gone, identify, signal } from './liveness.ts';
import { LogFollower, openLog, readTail } from './process-log.ts';
import { program } from './program.ts';
import { fileProblem, lastTelling, StartError } from './start-error.ts';

export interface ServiceProcessOptions {
  /** Unique name within the system: `auth`, or `auth-2` for another instance. */
  name: string;
  program: Program;
  /** http://host:port of the process, with its /readyz. */
  url: string;
  env: Record<string, string>;
  logFile: string;
  log: (message: string) => void;
  onWarning: (process: string, message: string) => void;
}

export interface Program {
  /** Absolute path, run with this process's own Node. */
  main: string;
  cwd: string;
}

interface Dependency {
  status: 'up' | 'down';
  required: boolean;
}

type State = 'stopped' | 'starting' | 'running' | 'waiting' | 'stopping';

const firstBackoffMs = 250;
const maxBackoffMs = 10_000;
const steadyAfterMs = 30_000;
const stopPatienceMs = 20_000;
/** Pauses in ms between checks of readiness: at first, and after several seconds. */
const firstAskMs = 25;
const maxAskMs = 150;

/** One supervised process: started, monitored, restarted with increasing pauses after crashes, stopped. */
export class ServiceProcess {
  readonly name: string;
  readonly url: string;
  /** Environment from the next start on. */
  env: Readonly<Record<string, string>>;
  /** Program from the next start on. */
  program: Program;
  readonly #options: ServiceProcessOptions;
  #child: ChildProcess | undefined;
  #state: State = 'stopped';
  #exited: Promise<void> = Promise.resolve();
  #crashes = 0;
  #restart: NodeJS.Timeout | undefined;
  #follower: LogFollower | undefined;
  #logFrom = 0;
  #lastExit = '';
  /** Whether it was ready since `start`; later exits are reported. */
  #served = false;
  #retired = false;

  constructor(options: ServiceProcessOptions) {
    this.#options = options;
    this.name = options.name;
    this.url = options.url;
    this.env = options.env;
    this.program = options.program;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get state(): State {
    return this.#state;
  }

  /**
   * Starts the process and waits until /readyz returns 200.
   * @throws StartError with its last output if it exits before or exceeds `timeoutMs`
   */
  async start(o: { timeoutMs?: number; signal?: AbortSignal | undefined } = {}): Promise<void> {
    if (this.#state === 'stopping') await this.#exited;
    if (this.#retired) throw new StartError(`${this.name} belongs to a system that was stopped.`);
    if (this.#state === 'stopped') {
      this.#crashes = 0;
      this.#served = false;
      await this.#spawn();
    }
    await this.ready(o);
  }

  /** Waits for /readyz, across restarts. Fails after three exits without readiness. */
  async ready(o: { timeoutMs?: number; signal?: AbortSignal | undefined } = {}): Promise<void> {
    const timeoutMs = o.timeoutMs ?? 60_000;
    const begun = performance.now();
    const deadline = begun + timeoutMs;
    const { signal: abort } = o;
    while (!(await this.#answersReady())) {
      abort?.throwIfAborted();
      if (this.#state === 'stopped' || this.#state === 'stopping') {
        throw new StartError(`${this.name} was stopped before it became ready.`);
      }
      if (this.#crashes >= 3 || performance.now() > deadline) {
        const said = lastTelling(await readTail(this.#options.logFile, this.#logFrom));
        const what =
          this.#crashes >= 3
            ? `ended (${this.#lastExit})`
            : `did not become ready within ${timeoutMs / 1_000} s`;
        await this.stop();
        throw new StartError(
          `${this.name} ${what}${said === undefined ? '' : `: ${said.replace(/\.$/, '')}`}; see ${this.#options.logFile}.`,
        );
      }
      // Checks take CPU time from a busy machine while everything starts.
      await sleep(Math.min(maxAskMs, firstAskMs + (performance.now() - begun) / 40));
    }
    if (this.#state === 'starting') this.#state = 'running';
    this.#served = true;
    this.#crashes = 0;
  }

  /** Ends the process: SIGTERM, and SIGKILL if it has not drained in time. It stays down until `start`. */
  async stop(): Promise<void> {
    clearTimeout(this.#restart);
    this.#follower?.stop();
    const identity = this.pid === undefined ? undefined : identify(this.pid);
    if (identity === undefined || this.#child === undefined) {
      this.#state = 'stopped';
      return;
    }
    this.#state = 'stopping';
    await end(identity, 'SIGTERM', stopPatienceMs);
    await this.#exited;
  }

  /** Ends the process permanently, cancelling any start or restart in progress. */
  retire(): Promise<void> {
    this.#retired = true;
    return this.stop();
  }

  /**
   * Sends a signal and, if it is deadly, waits for the exit. By default that counts as a crash and the
   * process is restarted. With `restart: false` it stays down until `start`.
   */
  async kill(name: NodeJS.Signals, o: { restart?: boolean } = {}): Promise<void> {
    const identity = this.pid === undefined ? undefined : identify(this.pid);
    if (identity === undefined) return;
    if (o.restart === false && name !== 'SIGSTOP' && name !== 'SIGCONT') this.#state = 'stopping';
    const exited = this.#exited;
    signal(identity, name);
    if (name === 'SIGKILL') {
      await gone(identity, 5_000);
      await exited;
    }
  }

  async #spawn(): Promise<void> {
    const { logFile } = this.#options;
    const { main, cwd } = this.program;
    this.#state = 'starting';
    const log = await openLog(logFile).catch((error: unknown) => {
      throw fileProblem(error, logFile);
    });
    this.#logFrom = (await log.stat()).size;
    // Stopped in the meantime: a process started now would have no supervisor.
    if (this.#state !== 'starting' || this.#retired) return log.close();
    try {
      const child = spawn(
        process.execPath,
        ['--disable-warning=ExperimentalWarning', `--import=${program('parent-watch').href}`, main],
        {
          cwd,
          env: { ...this.env, OSTIARY_PARENT_FD: '3' },
          // A separate process group: Ctrl-C reaches only the supervisor, which stops everything in order.
          detached: true,
          stdio: ['ignore', log.fd, log.fd, 'pipe'],
        },
      );
      // Immediately: it may exit, or fail to start, before any awaited step.
      this.#watch(child);
    } finally {
      await log.close();
    }
  }

  #watch(child: ChildProcess): void {
    const { logFile } = this.#options;
    this.#child = child;
    const { pid } = child;
    if (pid !== undefined) guardian.watch(pid, { rank: 0, signal: 'SIGTERM', patienceMs: 18_000 });
    const startedAt = performance.now();
    this.#exited = new Promise((resolve) => {
      const ended = (reason: string) => {
        if (pid !== undefined) guardian.release(pid);
        this.#follower?.stop();
        this.#child = undefined;
        this.#ended(reason, performance.now() - startedAt);
        resolve();
      };
      child.once('error', (error) => ended(error.message));
      child.once('exit', (code, name) => ended(name === null ? `exit code ${code}` : name));
    });
    this.#follower?.stop();
    this.#follower = new LogFollower(logFile, this.#logFrom, (message) =>
      this.#options.onWarning(this.name, message),
    );
    this.#follower.start();
  }

  #ended(reason: string, livedMs: number): void {
    this.#lastExit = reason;
    if (this.#state === 'stopping' || this.#state === 'stopped') {
      this.#state = 'stopped';
      return;
    }
    if (livedMs > steadyAfterMs) this.#crashes = 0;
    const pause = Math.min(firstBackoffMs * 2 ** this.#crashes, maxBackoffMs);
    this.#crashes++;
    this.#state = 'waiting';
    if (this.#served) {
      this.#options.log(`${this.name} ended (${reason}); starting it again in ${pause / 1_000} s`);
    }
    this.#restart = setTimeout(() => {
      this.#spawn().then(
        () => this.#announceReturn(),
        (error: unknown) => this.#options.log(`${this.name} cannot be started: ${String(error)}`),
      );
    }, pause);
  }

  #announceReturn(): void {
    if (!this.#served) return;
    const crashes = this.#crashes;
    this.#waitReady(60_000).then(
      (back) => {
        if (!back || this.#crashes !== crashes) return;
        this.#state = 'running';
        this.#options.log(`${this.name} is back`);
      },
      () => undefined,
    );
  }

  async #waitReady(timeoutMs: number): Promise<boolean> {
    const deadline = performance.now() + timeoutMs;
    while (performance.now() < deadline && this.#state === 'starting') {
      if (await this.#answersReady()) return true;
      await sleep(100);
    }
    return false;
  }

  async #answersReady(): Promise<boolean> {
    if (this.#child === undefined) return false;
    try {
      const response = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(3_000) });
      const state = (await response.json()) as { dependencies?: Record<string, Dependency> };
      const missing = Object.entries(state.dependencies ?? {}).filter(
        ([, { required, status }]) => required && status === 'down',
      );
      // An edge that only waits for the installation to be seeded counts as ready.
      return response.status === 200 || (missing.length === 1 && missing[0]?.[0] === 'installation');
    } catch {
      return false;
    }
  }
}
