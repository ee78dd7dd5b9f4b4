import { availableParallelism } from 'node:os';
import { Agent, request } from 'undici';
import { codeChallenge, registerClient } from '../codes.ts';
import { cpuSeconds, percentile, treeSeconds } from '../measure.ts';
import { runPeer } from '../peer.ts';
import { type BenchContext, pidOf, type Row, type Scenario } from '../scenario.ts';
import { random, source } from './departing.ts';

const redirectUri = 'https://app.example.com/callback';
const people = 8;
/** As many hashes at once as the service computes. */
const hashesAtOnce = 2;

/** Hashes alone. */
interface Bare {
  perSecond: number;
  cpuMicros: number;
}

interface Logins {
  perSecond: number;
  p50: number;
  p99: number;
  /** CPU of the server, microseconds a login. */
  cpuMicros: number;
  /** CPU of PostgreSQL and Valkey likewise. */
  storeMicros: number;
  /** CPU of the people's browsers, which are this process: the share of the machine that no server had. */
  browsersShare: number;
}

/** A browser that keeps cookies and follows one redirect at a time, and does nothing else. */
export class Visitor {
  readonly #origin: string;
  readonly #agent: Agent;
  readonly #cookies = new Map<string, string>();

  constructor(origin: string, agent: Agent) {
    this.#origin = origin;
    this.#agent = agent;
  }

  async go(
    path: string,
    form?: Record<string, string>,
  ): Promise<{ status: number; location: string; html: string }> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { statusCode, headers, body } = await request(`${this.#origin}${path}`, {
      dispatcher: this.#agent,
      method: form ? 'POST' : 'GET',
      headers: {
        ...(cookie ? { cookie } : {}),
        ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
      },
      ...(form ? { body: new URLSearchParams(form).toString() } : {}),
    });
    for (const set of [headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = set.split(';', 1);
      const at = pair.indexOf('=');
      this.#cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return { status: statusCode, location: String(headers.location ?? ''), html: await body.text() };
  }
}

const hidden = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';

/** From the authorization request to the code in the redirect. Returns the milliseconds of the sign-in itself. */
export async function login(
  visitor: Visitor,
  authorize: string,
  user: { userName: string; password: string },
): Promise<number> {
  const begun = await visitor.go(authorize);
  const page = await visitor.go(begun.location);
  const start = performance.now();
  const answer = await visitor.go('/t/demo/login', {
    i: hidden(page.html, 'i'),
    csrf: hidden(page.html, 'csrf'),
    username: user.userName,
    password: user.password,
    action: 'sign-in',
  });
  if (!answer.location.startsWith(redirectUri)) throw new Error(`the sign-in answered ${answer.status}`);
  return performance.now() - start;
}

interface Account {
  userName: string;
  password: string;
}

/** An account for each of the people: guesses are counted for each. */
export function accounts(context: BenchContext): Promise<Account[]> {
  return Promise.all(
    Array.from({ length: people }, async () => {
      const account = { userName: `bench-${random()}@example.com`, password: `${random()} ${random()}` };
      await source(context).create({ ...account, active: true });
      return account;
    }),
  );
}

async function logins(
  { system }: BenchContext,
  authorize: string,
  of: readonly Account[],
  seconds: number,
): Promise<Logins> {
  const agent = new Agent({ connections: people });
  const pid = pidOf(system, 'auth');
  const took: number[] = [];
  const stores = [pidOf(system, 'postgres'), pidOf(system, 'valkey')];
  const storeSeconds = () => stores.reduce((sum, store) => sum + treeSeconds(store), 0);
  const [before, storesBefore] = [cpuSeconds(pid), storeSeconds()];
  const browsersBefore = cpuSeconds(process.pid);
  const start = performance.now();
  const end = start + seconds * 1_000;
  await Promise.all(
    of.map(async (account) => {
      while (performance.now() < end) {
        took.push(await login(new Visitor(system.urls.auth, agent), authorize, account));
      }
    }),
  );
  const elapsed = (performance.now() - start) / 1_000;
  const cpu = cpuSeconds(pid) - before;
  const browsers = cpuSeconds(process.pid) - browsersBefore;
  await agent.close();
  return {
    perSecond: took.length / elapsed,
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
    cpuMicros: (cpu * 1e6) / took.length,
    storeMicros: ((storeSeconds() - storesBefore) * 1e6) / took.length,
    browsersShare: browsers / (elapsed * availableParallelism()),
  };
}

const median = (values: readonly number[]): number => percentile(values, 0.5);

function rowsOf(ours: readonly Logins[], bare: readonly Bare[]): Row[] {
  const own = (figure: keyof Logins) => median(ours.map((run) => run[figure]));
  const limit = (figure: 'perSecond' | 'cpuMicros') => median(bare.map((run) => run[figure]));
  return [
    {
      name: `password logins, ${people} people at a time`,
      figures: {
        perSecond: own('perSecond').toFixed(1),
        p50: own('p50').toFixed(0),
        p99: own('p99').toFixed(0),
        cpuMicros: own('cpuMicros').toFixed(0),
        storeMicros: own('storeMicros').toFixed(0),
      },
    },
    {
      name: `bare argon2id, ${hashesAtOnce} at a time`,
      figures: { perSecond: limit('perSecond').toFixed(1), cpuMicros: limit('cpuMicros').toFixed(0) },
    },
    {
      name: 'logins as a share of what argon2id alone allows',
      figures: {
        'a second': (own('perSecond') / limit('perSecond')).toFixed(2),
        // Bare argon2id had the whole machine; the sign-ins had what their own browsers left of it.
        "a second, of the machine without the browsers' part": (
          own('perSecond') /
          (limit('perSecond') * (1 - own('browsersShare')))
        ).toFixed(2),
        'p99 in hashes': (own('p99') / ((hashesAtOnce * 1_000) / limit('perSecond'))).toFixed(1),
        'a CPU second of the server': (limit('cpuMicros') / own('cpuMicros')).toFixed(2),
      },
    },
  ];
}

/** Registers an app and returns the path of its authorization request. */
export async function loginPage(context: BenchContext): Promise<string> {
  const { client_id } = await registerClient(context, {
    client_name: 'Benchmark of sign-ins',
    application_type: 'web',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    redirect_uris: [redirectUri],
    scope: 'openid',
    require_consent: false,
  });
  return `/t/demo/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: redirectUri,
    scope: 'openid',
    state: 'x',
    code_challenge: codeChallenge,
    code_challenge_method: 'S256',
  })}`;
}

/** Whole sign-ins by a browser without a window, beside what argon2id alone allows on this machine. */
export const passwordLogins: Scenario = {
  name: 'logins',
  async run(context): Promise<Row[]> {
    const authorize = await loginPage(context);
    const ours: Logins[] = [];
    const bare: Bare[] = [];
    const of = await accounts(context);
    // Each signs in for the first time meanwhile, and what is on the way gets compiled.
    await logins(context, authorize, of, context.seconds);
    for (let round = 0; round < context.rounds; round += 1) {
      ours.push(await logins(context, authorize, of, context.seconds));
      bare.push(await runPeer('argon2', String(context.seconds), String(hashesAtOnce)));
      const [own, limit] = [ours.at(-1), bare.at(-1)];
      context.log(
        `round ${round + 1}: ${own?.perSecond.toFixed(0)} of ${limit?.perSecond.toFixed(0)} a second`,
      );
    }
    return rowsOf(ours, bare);
  },
};
