import pg from 'pg';
import type { OwnSystem } from './own-system.ts';

export interface Redemption {
  status: number;
  location: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: the tests look at whatever JSON came back
  body: any;
}

/** One request to one process. Undefined: it died before it could answer. */
export type Redeem = (origin: string) => Promise<Redemption | undefined>;

/** What a request was answered with; undefined when the connection broke. */
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

/** Posts a form to the token endpoint of whichever process. */
export const tokenRequest =
  (form: Record<string, string>, headers: Record<string, string> = {}): Redeem =>
  (origin) =>
    answered(`${origin}/t/demo/token`, { method: 'POST', headers, body: new URLSearchParams(form) });

/** So many at once, in turn to each process. */
export async function inParallel(
  count: number,
  origins: readonly string[],
  redeem: Redeem,
): Promise<Redemption[]> {
  const sent = Array.from({ length: count }, (_, index) => redeem(origins[index % origins.length] ?? ''));
  return (await Promise.all(sent)).filter((answer) => answer !== undefined);
}

/** Two processes of the authorization server besides the system's own, one of which gets killed again and again. */
export class Pair {
  readonly #own: OwnSystem;
  readonly #names: string[] = [];
  readonly origins: string[] = [];

  private constructor(own: OwnSystem) {
    this.#own = own;
  }

  static async start(own: OwnSystem, env: Record<string, string>): Promise<Pair> {
    const pair = new Pair(own);
    for (let index = 0; index < 2; index += 1) {
      const extra = await own.system.spawnExtra('auth', { env });
      pair.#names.push(extra.name);
      pair.origins.push(extra.url);
    }
    return pair;
  }

  async killOne(): Promise<void> {
    await this.#own.system.kill(this.#names[0] ?? '', 'SIGKILL', { restart: false });
  }

  async revive(): Promise<void> {
    await this.#own.system.start(this.#names[0] ?? '');
  }
}

/** Looks into the database of a system, as nothing else in these tests may. */
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
