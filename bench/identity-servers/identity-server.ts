import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/** Another identity server, set up as Ostiary's tenant of the benchmarks is, with a database of its own on the same PostgreSQL. */
export interface IdentityServer {
  name: string;
  /** Of the process that does the work. */
  pid: number;
  tokenUrl: string;
  introspectUrl: string;
  userinfoUrl: string;
  /** A public client with PKCE. */
  clientId: string;
  /** A confidential client, which gets tokens for itself and asks about others'. */
  machine: { client_id: string; client_secret: string };
  /** Codes of people who are signed in, each had at the authorization endpoint. */
  codes(count: number): Promise<string[]>;
  stop(): Promise<void>;
}

export const machine = { client_id: 'machine', client_secret: 'bench-secret-bench-secret' };
/** Seconds for which a code may be redeemed: those of a round are made before it. */
export const codeLifetime = 1_800;

/** An empty database on the server that `url` names. @returns its address */
export async function emptyDatabase(url: string, name: string): Promise<URL> {
  const sql = new pg.Client({ connectionString: url });
  await sql.connect();
  try {
    await sql.query(`DROP DATABASE IF EXISTS ${name}`);
    await sql.query(`CREATE DATABASE ${name}`);
  } finally {
    await sql.end();
  }
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address;
}

export interface StartedServer {
  pid: number;
  stop(): Promise<void>;
}

/** Starts a program and waits until an address answers 200. @throws Error when it ends before, or takes longer than so many seconds */
export async function startServer(
  program: string,
  args: readonly string[],
  o: { env: NodeJS.ProcessEnv; ready: string; seconds: number },
): Promise<StartedServer> {
  const child = spawn(program, args, { env: o.env, stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill();
    await ended;
  };
  try {
    await answers(child, o.ready, o.seconds);
    return { pid: child.pid ?? 0, stop };
  } catch (error) {
    if (child.exitCode === null) await stop();
    throw error;
  }
}

async function answers(child: ChildProcess, url: string, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1_000;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`${child.spawnfile} ended before it was ready`);
    const status = await fetch(url).then(
      (response) => response.status,
      () => 0,
    );
    if (status === 200) return;
    await sleep(500);
  }
  throw new Error(`${child.spawnfile} wasn't ready within ${seconds} s`);
}

/** Asks each browser for one code after the other: two at once would share the cookie of their sign-in. */
export async function codesOf<B>(
  browsers: readonly B[],
  count: number,
  one: (browser: B) => Promise<string>,
): Promise<string[]> {
  const codes: string[] = [];
  let wanted = count;
  await Promise.all(
    browsers.map(async (browser) => {
      while (wanted-- > 0) codes.push(await one(browser));
    }),
  );
  return codes;
}

/** How the authorization endpoints of these benchmarks are asked for a code. */
export function authorizationUrl(endpoint: string, parameters: Record<string, string>): URL {
  const url = new URL(endpoint);
  url.search = new URLSearchParams({
    response_type: 'code',
    code_challenge_method: 'S256',
    ...parameters,
  }).toString();
  return url;
}
