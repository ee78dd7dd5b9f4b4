import pg from 'pg';
import type { OwnSystem } from '../own-system.ts';

export interface Redemption {
  status: number;
  location: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: tests read any JSON
  body: any;
}

/** Sends one request to one process. Undefined: the process was killed before it answered. */
export type Redeem = (origin: string) => Promise<Redemption | undefined>;

/** Returns the answer to a request; undefined when the connection broke. */
export async function answered(url: string, init: RequestInit): Promise<Redemption | undefined> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const text = await response.text();
    const isJson = (response.headers.get('content-type') ?? '').includes('json');
    return {
      status: response.status,
      location: response.headers.get('location'),
      body: isJson ? JSON.parse(text) : text,
    };
  } catch {
    return undefined;
  }
}

/** Posts a form to the token endpoint of a process. */
export const tokenRequest =
  (form: Record<string, string>, headers: Record<string, string> = {}): Redeem =>
  (origin) =>
    answered(`${origin}/t/demo/token`, { method: 'POST', headers, body: new URLSearchParams(form) });

/** Sends `count` concurrent requests, to the processes in turn. */
export async function inParallel(
  count: number,
  origins: readonly string[],
  redeem: Redeem,
): Promise<Redemption[]> {
  const sent = Array.from({ length: count }, (_, index) => redeem(origins[index % origins.length] ?? ''));
  return (await Promise.all(sent)).filter((answer) => answer !== undefined);
}

/** Two processes of the authorization server, the first of which is killed repeatedly. */
export class Pair {
  readonly #own: OwnSystem;
  readonly #mortal: string;
  readonly origins: readonly [string, string];

  private constructor(own: OwnSystem, mortal: { name: string; url: string }, survivor: string) {
    this.#own = own;
    this.#mortal = mortal.name;
    this.origins = [mortal.url, survivor];
  }

  /** Starts two additional processes with these settings. */
  static async start(own: OwnSystem, env: Record<string, string>): Promise<Pair> {
    const mortal = await own.system.spawnExtra('auth', { env });
    const survivor = await own.system.spawnExtra('auth', { env });
    return new Pair(own, mortal, survivor.url);
  }

  /** Uses the system's own process, and starts another one that can be killed. */
  static async withSystems(own: OwnSystem): Promise<Pair> {
    return new Pair(own, await own.system.spawnExtra('auth'), own.system.urls.auth);
  }

  get survivor(): string {
    return this.origins[1];
  }

  async killOne(): Promise<void> {
    await this.#own.system.kill(this.#mortal, 'SIGKILL', { restart: false });
  }

  async revive(): Promise<void> {
    await this.#own.system.start(this.#mortal);
  }
}

/** Queries the database of a system directly; other tests must not. */
export async function rowsOf(
  own: OwnSystem,
  statement: string,
  values: readonly unknown[],
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: own.system.databaseUrl });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, [...values])).rows;
  } finally {
    await client.end();
  }
}
