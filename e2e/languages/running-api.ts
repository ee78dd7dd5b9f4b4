import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { freePort } from '@ostiary/embedded';
import { eventually } from '@ostiary/service/testing';
import type { ApiProgram } from './protected-apis.ts';

/** Process of a program of a guide that protects an API. */
export class RunningApi {
  readonly #port: number;
  #process: ChildProcess | undefined;
  #output = '';

  private constructor(port: number) {
    this.#port = port;
  }

  /** Builds and starts a program, and waits until it answers. */
  static async started(
    program: ApiProgram,
    o: { folder: string; adapted(text: string): string; env: Record<string, string> },
  ): Promise<RunningApi> {
    const port = await freePort();
    const command = await program.build(o.folder, o.adapted, port);
    const api = new RunningApi(port);
    await api.#start(command.program, command.args, o);
    return api;
  }

  async #start(
    program: string,
    args: readonly string[],
    { folder, env }: { folder: string; env: Record<string, string> },
  ): Promise<void> {
    const child = spawn(program, args, {
      cwd: folder,
      env: { PATH: process.env.PATH, PORT: `${this.#port}`, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        this.#output += chunk.toString();
      });
    await eventually(async () => {
      if (child.exitCode !== null) throw new Error(`the API has ended: ${this.#output}`);
      return (await this.ask(undefined).catch(() => undefined)) !== undefined;
    });
  }

  /** Requests the orders with the value of an `Authorization` header. */
  ask(authorization: string | undefined): Promise<Response> {
    const headers = authorization === undefined ? {} : { authorization };
    return fetch(`http://127.0.0.1:${this.#port}/orders`, { headers });
  }

  async statusFor(token: string): Promise<number> {
    return (await this.ask(`Bearer ${token}`)).status;
  }

  async stop(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill();
    await ended;
  }
}
