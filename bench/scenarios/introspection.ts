import type { Request } from 'autocannon';
import pg from 'pg';
import { beside, rowsBeside } from '../beside.ts';
import { codeChallenge, codeForm, codeMint, redeemAll } from '../codes.ts';
import { type LoadResult, load } from '../measure.ts';
import { type Peer, startPeer } from '../peer.ts';
import { type BenchContext, basic, pidOf, type Row, type Scenario } from '../scenario.ts';

/** A server that receives requests about tokens, and its processes. */
interface Contender {
  tokenUrl: string;
  introspectUrl: string;
  userinfoUrl: string;
  /** Authorization of a resource server. */
  authorization: string;
  clientId: string;
  codes(count: number): Promise<string[]>;
  pids: readonly number[];
  stores: readonly number[];
  /** Token endpoint of another process of the same server, if there is one. */
  otherTokenUrl?: string;
}

interface Asked extends LoadResult {
  /** Transactions of PostgreSQL per request, including background work. */
  transactions: number;
}

/** Returns the request about a token. */
type Question = (contender: Contender, token: string) => Request & { url: string };

const introspect: Question = ({ introspectUrl: url, authorization }, token) => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded', authorization },
  body: new URLSearchParams({ token }).toString(),
});

const userinfo: Question = ({ userinfoUrl: url }, token) => ({
  url,
  method: 'GET',
  headers: { authorization: `Bearer ${token}` },
});

/** Number of tokens that are requested repeatedly, as by resource servers. */
const usual = 64;
/** Number of tokens that are requested once each. */
const once = 3_000;

/** @param elsewhere whether another process issues the tokens, where there is one */
async function tokensOf(contender: Contender, count: number, elsewhere = false): Promise<string[]> {
  const { tokenUrl, otherTokenUrl = tokenUrl } = contender;
  const forms = (await contender.codes(count)).map((code) => codeForm(contender.clientId, code));
  const tokens = await redeemAll(elsewhere ? otherTokenUrl : tokenUrl, forms);
  return tokens.map(({ access_token }) => access_token);
}

class Measurement {
  readonly #database: pg.Client;

  constructor(database: pg.Client) {
    this.#database = database;
  }

  /** Requests a few tokens repeatedly for a duration. */
  async again(contender: Contender, ask: Question, seconds: number): Promise<Asked> {
    const tokens = await tokensOf(contender, usual);
    let turn = 0;
    return this.#load(contender, ask, () => tokens[turn++ % tokens.length] ?? '', { seconds });
  }

  /** Requests each of many tokens once. */
  async once(contender: Contender, ask: Question, elsewhere: boolean): Promise<Asked> {
    const tokens = await tokensOf(contender, once, elsewhere);
    const last = tokens[0] ?? '';
    return this.#load(contender, ask, () => tokens.pop() ?? last, { seconds: 60, amount: once });
  }

  async #load(
    contender: Contender,
    ask: Question,
    next: () => string,
    o: { seconds: number; amount?: number },
  ): Promise<Asked> {
    const { origin, pathname } = new URL(ask(contender, '').url);
    const before = await this.#transactions();
    const run = await load({
      url: origin,
      connections: 16,
      pids: contender.pids,
      stores: contender.stores,
      ...o,
      requests: [
        {
          path: pathname,
          setupRequest: (request) => {
            const { url: _, ...asked } = ask(contender, next());
            return { ...request, ...asked, path: pathname };
          },
        },
      ],
    });
    const transactions = (await this.#transactions()) - before;
    const requests = o.amount ?? run.perSecond * o.seconds;
    return { ...run, transactions: Number((transactions / requests).toFixed(3)) };
  }

  /** Returns the committed transactions so far, from the counter of the database. */
  async #transactions(): Promise<number> {
    // Sessions report at most once per second.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { rows } = await this.#database.query(
      'SELECT xact_commit::float8 AS committed FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]?.committed);
  }
}

function contendersOf(
  { system, demo }: BenchContext,
  mint: Awaited<ReturnType<typeof codeMint>>,
  peer: Peer,
  other: { url: string },
): [Contender, Contender] {
  const postgres = pidOf(system, 'postgres');
  const { issuer, clients } = demo.tenants.demo;
  const own = `${system.urls.auth}${new URL(issuer).pathname}`;
  return [
    {
      tokenUrl: `${own}/token`,
      otherTokenUrl: `${other.url}${new URL(issuer).pathname}/token`,
      introspectUrl: `${own}/introspect`,
      userinfoUrl: `${own}/userinfo`,
      authorization: basic(clients.api),
      clientId: mint.clientId,
      codes: (count) => mint.issue(count),
      pids: [pidOf(system, 'auth')],
      stores: [postgres, pidOf(system, 'valkey')],
    },
    {
      tokenUrl: `${peer.origin}/token`,
      introspectUrl: `${peer.origin}/token/introspection`,
      userinfoUrl: `${peer.origin}/me`,
      authorization: basic({ client_id: 'resource-server', client_secret: 'bench-secret-bench-secret' }),
      clientId: 'app',
      // oidc-provider introspects only opaque tokens, which it looks up, and userinfo accepts only these.
      codes: async (count) =>
        (
          await peer.ask<{ codes: string[] }>({
            codes: count,
            challenge: codeChallenge,
            resourceServer: false,
          })
        ).codes,
      pids: [peer.pid],
      stores: [postgres],
    },
  ];
}

/**
 * Requests of resource servers and clients about tokens. Both servers store everything they issue in the same
 * PostgreSQL.
 */
export const introspection: Scenario = {
  name: 'introspection',
  async run(context) {
    const { system } = context;
    const mint = await codeMint(context);
    const peer = await startPeer('oidc-provider-postgres', { DATABASE_URL: system.databaseUrl });
    const database = new pg.Client({ connectionString: system.databaseUrl });
    await database.connect();
    const measurement = new Measurement(database);
    const other = await system.spawnExtra('auth');
    const contenders = contendersOf(context, mint, peer, other);
    const names = ['Ostiary, signed tokens', 'oidc-provider, opaque tokens'] as const;
    const rows: Row[] = [];
    try {
      for (const [what, ask] of [
        ['introspection', introspect],
        ['userinfo', userinfo],
      ] as const) {
        const again = await beside(context, what, contenders, (contender, seconds) =>
          measurement.again(contender, ask, seconds),
        );
        const first = await beside(context, `${what}, once`, contenders, (contender) =>
          measurement.once(contender, ask, false),
        );
        const foreign = await beside(context, `${what}, once, issued elsewhere`, contenders, (contender) =>
          measurement.once(contender, ask, true),
        );
        rows.push(
          ...rowsBeside(`${what}, ${usual} tokens again and again`, names, again),
          ...rowsBeside(`${what}, each token once`, names, first),
          ...rowsBeside(`${what}, each token once, issued by another process`, names, foreign),
        );
      }
      return rows;
    } finally {
      mint.close();
      await database.end();
      await other.stop();
      await peer.stop();
    }
  },
};
