import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@ostiary/embedded';

/** Another server in its own process. */
export interface Peer {
  origin: string;
  pid: number;
  ask<T>(message: object): Promise<T>;
  stop(): Promise<void>;
}

/** Starts a program of `peers/`, which reads PORT and sends 'ready'. */
export async function startPeer(name: string, env: Record<string, string> = {}): Promise<Peer> {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL(`./peers/${name}.mjs`, import.meta.url)), {
    env: { PATH: process.env.PATH, PORT: String(port), NODE_ENV: 'production', ...env },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await firstMessage(child);
  return {
    origin: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    async ask<T>(message: object): Promise<T> {
      child.send(message);
      return (await firstMessage(child)) as T;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
    },
  };
}

/** Runs a program of `peers/` to its end and returns its message. */
export async function runPeer<T>(name: string, ...args: readonly string[]): Promise<T> {
  const child = fork(fileURLToPath(new URL(`./peers/${name}.mjs`, import.meta.url)), [...args], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  return (await firstMessage(child)) as T;
}

async function firstMessage(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, 'exit', { signal }).then(() => {
    throw new Error('the peer ended before it answered');
  });
  ended.catch(() => undefined);
  try {
    const [message] = (await Promise.race([once(child, 'message', { signal }), ended])) as unknown[];
    return message;
  } finally {
    answered.abort();
  }
}
