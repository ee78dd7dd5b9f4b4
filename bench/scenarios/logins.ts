import { Agent, request } from 'undici';
import { codeChallenge, registerClient } from '../codes.ts';
import { cpuSeconds, percentile, treeSeconds } from '../measure.ts';
import { runPeer, startPeer } from '../peer.ts';
import { type BenchContext, pidOf, type Row, type Scenario } from '../scenario.ts';
import { random, source } from './departing.ts';

const redirectUri = 'https://app.example.com/callback';
const people = 8;
/** Number of concurrent hashes, as in the service. */
const maxConcurrentHashes = 2;

/** Results of hashing alone. */
interface Bare {
  perSecond: number;
  /** Milliseconds per hash at that concurrency. */
  hashMillis: number;
  cpuMicros: number;
}

interface Logins {
  perSecond: number;
  p50: number;
  p99: number;
  /** CPU of the server in microseconds per sign-in. */
  cpuMicros: number;
  /** CPU of PostgreSQL and Valkey in microseconds per sign-in. */
  storeMicros: number;
  /** CPU of the browsers, which run in this process, in microseconds per sign-in. */
  browserMicros: number;
}

/** Performs one complete sign-in. Returns the milliseconds of the request with the hash. */
type SignIn = (visitor: Visitor, account: Account) => Promise<number>;

/** A server at which users sign in. */
interface Site {
  origin: string;
  pid: number;
  stores: readonly number[];
  signIn: SignIn;
}

/** A minimal browser that stores cookies and follows single redirects. */
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

/** Sends the authorization request and signs in, up to the redirect with the code. */
export const authorizing =
  (authorize: string): SignIn =>
  async (visitor, { userName: username, password }) => {
    const begun = await visitor.go(authorize);
    const page = await visitor.go(begun.location);
    const [i, csrf] = [hidden(page.html, 'i'), hidden(page.html, 'csrf')];
    const start = performance.now();
    const answer = await visitor.go('/t/demo/login', { i, csrf, username, password, action: 'sign-in' });
    if (!answer.location.startsWith(redirectUri)) throw new Error(`the sign-in answered ${answer.status}`);
    return performance.now() - start;
  };

/** Sends as many requests, of which the last needs a hash. */
const hashing: SignIn = async (visitor, { userName: username, password }) => {
  await visitor.go('/');
  await visitor.go('/');
  const start = performance.now();
  await visitor.go('/', { username, password });
  return performance.now() - start;
};

interface Account {
  userName: string;
  password: string;
}

/** Creates an account for each concurrent user, because failed sign-ins are limited per account. */
export function accounts(context: BenchContext): Promise<Account[]> {
  return Promise.all(
    Array.from({ length: people }, async () => {
      const account = { userName: `bench-${random()}@example.com`, password: `${random()} ${random()}` };
      await source(context).create({ ...account, active: true });
      return account;
    }),
  );
}

async function logins(site: Site, of: readonly Account[], seconds: number): Promise<Logins> {
  const agent = new Agent({ connections: people });
  const took: number[] = [];
  const storeSeconds = () => site.stores.reduce((sum, store) => sum + treeSeconds(store), 0);
  const [before, storesBefore] = [cpuSeconds(site.pid), storeSeconds()];
  const browsersBefore = process.cpuUsage();
  const start = performance.now();
  const end = start + seconds * 1_000;
  await Promise.all(
    of.map(async (account) => {
      while (performance.now() < end) took.push(await site.signIn(new Visitor(site.origin, agent), account));
    }),
  );
  const elapsed = (performance.now() - start) / 1_000;
  const browsers = process.cpuUsage(browsersBefore);
  const cpu = cpuSeconds(site.pid) - before;
  const stores = storeSeconds() - storesBefore;
  await agent.close();
  return {
    perSecond: took.length / elapsed,
    p50: percentile(took, 0.5),
    p99: percentile(took, 0.99),
    cpuMicros: (cpu * 1e6) / took.length,
    storeMicros: (stores * 1e6) / took.length,
    browserMicros: (browsers.user + browsers.system) / took.length,
  };
}

const implementations = ['node', 'service'] as const;
type Implementation = (typeof implementations)[number];

/** Results of one round. */
interface Round {
  ours: Logins;
  floor: Logins;
  bare: Record<Implementation, Bare>;
}

const median = (rounds: readonly Round[], figure: (round: Round) => number): number =>
  percentile(rounds.map(figure), 0.5);

function loginsRow(name: string, rounds: readonly Round[], of: (round: Round) => Logins): Row {
  const digits = { perSecond: 1, p50: 0, p99: 0, cpuMicros: 0, storeMicros: 0, browserMicros: 0 } as const;
  const figures = Object.entries(digits).map(([figure, fraction]) => [
    figure,
    median(rounds, (round) => of(round)[figure as keyof Logins]).toFixed(fraction),
  ]);
  return { name, figures: Object.fromEntries(figures) as Record<string, string> };
}

const words: Record<Implementation, string> = {
  node: "Node.js's own argon2id",
  service: "the service's argon2id",
};

/** Ratios are the medians of the ratios of each round, because the machine may change between rounds. */
function besideBare(rounds: readonly Round[], name: Implementation): Row[] {
  const ratio = (of: (round: Round) => number) => median(rounds, of).toFixed(2);
  const { perSecond, hashMillis, cpuMicros } = {
    perSecond: median(rounds, ({ bare }) => bare[name].perSecond),
    hashMillis: median(rounds, ({ bare }) => bare[name].hashMillis),
    cpuMicros: median(rounds, ({ bare }) => bare[name].cpuMicros),
  };
  return [
    {
      name: `bare: ${words[name]}, ${maxConcurrentHashes} at a time`,
      figures: {
        perSecond: perSecond.toFixed(1),
        hashMillis: hashMillis.toFixed(1),
        cpuMicros: cpuMicros.toFixed(0),
      },
    },
    {
      name: `logins as a share of ${words[name]}, bare`,
      figures: {
        'a second': ratio(({ ours, bare }) => ours.perSecond / bare[name].perSecond),
        'p99 in hashes': ratio(({ ours, bare }) => ours.p99 / bare[name].hashMillis),
        'a CPU second of the server': ratio(({ ours, bare }) => bare[name].cpuMicros / ours.cpuMicros),
        'three bare HTTP requests and a hash, a second': ratio(
          ({ floor, bare }) => floor.perSecond / bare[name].perSecond,
        ),
      },
    },
  ];
}

const rowsOf = (rounds: readonly Round[]): Row[] => [
  loginsRow(`password logins, ${people} people at a time`, rounds, ({ ours }) => ours),
  loginsRow('three bare HTTP requests and a hash, likewise', rounds, ({ floor }) => floor),
  {
    name: 'logins as a share of three bare HTTP requests and a hash',
    figures: {
      'a second': median(rounds, ({ ours, floor }) => ours.perSecond / floor.perSecond).toFixed(2),
      p99: median(rounds, ({ ours, floor }) => ours.p99 / floor.p99).toFixed(2),
    },
  },
  ...implementations.flatMap((name) => besideBare(rounds, name)),
];

export async function authorizeAddress(context: BenchContext): Promise<string> {
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

/**
 * Complete sign-ins by headless browsers, compared with argon2id alone in the implementations of Node.js and of the
 * service, and with a server that only hashes.
 */
export const passwordLogins: Scenario = {
  name: 'logins',
  async run(context): Promise<Row[]> {
    const { system, seconds, log } = context;
    const own: Site = {
      origin: system.urls.auth,
      pid: pidOf(system, 'auth'),
      stores: [pidOf(system, 'postgres'), pidOf(system, 'valkey')],
      signIn: authorizing(await authorizeAddress(context)),
    };
    const peer = await startPeer('hash-server');
    const least: Site = { origin: peer.origin, pid: peer.pid, stores: [], signIn: hashing };
    const of = await accounts(context);
    const bare = (name: Implementation) =>
      runPeer<Bare>('argon2', String(seconds), String(maxConcurrentHashes), name);
    const rounds: Round[] = [];
    try {
      // Warm-up: first sign-ins and compilation.
      for (const site of [own, least]) await logins(site, of, seconds);
      while (rounds.length < context.rounds) {
        const node = await bare('node');
        const ours = await logins(own, of, seconds);
        const floor = await logins(least, of, seconds);
        rounds.push({ ours, floor, bare: { node, service: await bare('service') } });
        const figures = [ours, node, rounds.at(-1)?.bare.service, floor].map((one) =>
          one?.perSecond.toFixed(0),
        );
        log(
          `round ${rounds.length}: ${figures[0]} a second; bare ${figures[1]} (Node.js), ${figures[2]} (ours); HTTP and a hash ${figures[3]}`,
        );
      }
      return rowsOf(rounds);
    } finally {
      await peer.stop();
    }
  },
};
