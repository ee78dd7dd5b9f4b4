import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

/**
 * Another identity server, configured like Ostiary's tenant of the benchmarks, with its own database on the same
 * PostgreSQL.
 */
export interface IdentityServer {
  name: string;
  /** Process id of the server. */
  pid: number;
  tokenUrl: string;
  introspectUrl: string;
  userinfoUrl: string;
  /** A public client with PKCE. */
  clientId: string;
  /** A confidential client for client credentials and introspection. */
  machine: { client_id: string; client_secret: string };
  /** Requests codes of signed-in users at the authorization endpoint. */
  codes(count: number): Promise<string[]>;
  stop(): Promise<void>;
}

export const machine = { client_id: 'machine', client_secret: 'bench-secret-bench-secret' };
/** Lifetime of a code in seconds; the codes of a round are created before it. */
export const codeLifetime = 1_800;

/** Creates an empty database on the server of `url`. @returns its URL */
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

/**
 * Starts a program and waits until a URL returns 200. @throws Error when the program ends before, or after the timeout
 * in seconds
 */
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

/** Requests one code at a time per browser, because concurrent requests would share the cookie of their sign-in. */
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

/** Returns the URL of an authorization request. */
export function authorizationUrl(endpoint: string, parameters: Record<string, string>): URL {
  const url = new URL(endpoint);
  url.search = new URLSearchParams({
    response_type: 'code',
    code_challenge_method: 'S256',
    ...parameters,
  }).toString();
  return url;
}
