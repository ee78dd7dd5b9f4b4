import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@ostiary/embedded';
import { eventually, testKeys } from '@ostiary/service/testing';

/** Returns the path of a file in a service's build. */
export const buildOf = (service: string, file: string): string =>
  fileURLToPath(new URL(`../../../${service}/dist/${file}`, import.meta.url));

export interface RunningProcess {
  url: string;
  port: number;
  /** Sends SIGTERM and returns the exit code. */
  stop(): Promise<number | null>;
  /** Sends SIGKILL. */
  kill(): void;
}

/** Runs a script to its end. @throws Error with its output when it fails */
export async function runScript(file: string, env: Record<string, string>): Promise<void> {
  const child = start(file, env);
  const output = collect(child);
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${output()}`);
}

/** Starts a service's process, by default on a free port, and waits until it serves. */
export async function startProcess(
  file: string,
  env: Record<string, string>,
  at?: number,
): Promise<RunningProcess> {
  const port = at ?? (await freePort());
  const child = start(file, { ...env, PORT: String(port), METRICS_PORT: String(await freePort()) });
  const output = collect(child);
  const url = `http://127.0.0.1:${port}`;
  await eventually(
    async () => {
      if (child.exitCode !== null) throw new Error(`${file} did not start: ${output()}`);
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      return { status: answer?.status, output: output() };
    },
    ({ status }) => status === 200,
  );
  return {
    url,
    port,
    kill: () => void child.kill('SIGKILL'),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      child.kill('SIGTERM');
      const [code] = await once(child, 'exit');
      return code;
    },
  };
}

const start = (file: string, env: Record<string, string>): ChildProcess =>
  spawn(process.execPath, [file], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', LOG_LEVEL: 'info', ...testKeys, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

function collect(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-4_000);
    });
  }
  return () => text;
}
