import type { Request } from 'autocannon';
import { codeChallenge, codeForm, codeMint, redeemAll } from '../codes.ts';
import { type LoadResult, load, medianRun } from '../measure.ts';
import { startPeer } from '../peer.ts';
import { type BenchContext, basic, pidOf, type Row, type Scenario } from '../scenario.ts';

/** A server that issues codes on request, and what is charged for its work. */
interface Contender {
  name: string;
  tokenUrl: string;
  clientId: string;
  codes(count: number): Promise<string[]>;
  /** More exchanges than it can make in a second. */
  most: number;
  pids: readonly number[];
  stores: readonly number[];
}

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const connections = 16;
const text = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

function post(contender: Contender, request: Partial<Request>, seconds: number): Promise<LoadResult> {
  const { origin, pathname } = new URL(contender.tokenUrl);
  return load({
    url: origin,
    seconds,
    connections,
    pids: contender.pids,
    stores: contender.stores,
    requests: [{ method: 'POST', path: pathname, headers: form, ...request }],
  });
}

/** Every request redeems a code of its own, made beforehand. */
async function exchange(contender: Contender, seconds: number): Promise<LoadResult> {
  const codes = await contender.codes(seconds * contender.most);
  return post(
    contender,
    {
      setupRequest: (request) => {
        const code = codes.pop();
        if (code === undefined) throw new Error('more codes are needed');
        return { ...request, body: text(codeForm(contender.clientId, code)) };
      },
    },
    seconds,
  );
}

/** Chains of refreshes: what one answer brings is what a later request sends. */
async function refresh(contender: Contender, seconds: number): Promise<LoadResult> {
  const codes = await contender.codes(connections * 2);
  const forms = codes.map((code) => codeForm(contender.clientId, code));
  const tokens = (await redeemAll(contender.tokenUrl, forms)).map(({ refresh_token }) => refresh_token);
  return post(
    contender,
    {
      setupRequest: (request) => {
        const fields = {
          grant_type: 'refresh_token',
          client_id: contender.clientId,
          refresh_token: tokens.pop() ?? '',
        };
        return { ...request, body: text(fields) };
      },
      onResponse: (status, body) => {
        if (status === 200) tokens.push((JSON.parse(body) as { refresh_token: string }).refresh_token);
      },
    },
    seconds,
  );
}

/** A resource server asks about access tokens of people. */
async function introspection(
  contender: Contender & { introspectUrl: string; authorization: string },
  seconds: number,
): Promise<LoadResult> {
  const forms = (await contender.codes(64)).map((code) => codeForm(contender.clientId, code));
  const tokens = await redeemAll(contender.tokenUrl, forms);
  const { origin, pathname } = new URL(contender.introspectUrl);
  let turn = 0;
  return load({
    url: origin,
    seconds,
    connections,
    pids: contender.pids,
    stores: contender.stores,
    requests: [
      {
        method: 'POST',
        path: pathname,
        headers: { ...form, authorization: contender.authorization },
        setupRequest: (request) => ({
          ...request,
          body: text({ token: tokens[turn++ % tokens.length]?.access_token ?? '' }),
        }),
      },
    ],
  });
}

const total = (run: LoadResult): number => run.cpuMicros + run.storeMicros;

function rows(
  what: string,
  names: readonly [string, string],
  runs: readonly [LoadResult[], LoadResult[]],
): Row[] {
  const [own, other] = [medianRun(runs[0]), medianRun(runs[1])];
  return [
    { name: `${what}, ${names[0]}`, figures: { ...own } },
    { name: `${what}, ${names[1]}`, figures: { ...other } },
    {
      name: `${what} per CPU second, ratio to oidc-provider`,
      figures: {
        'with databases': (total(other) / total(own)).toFixed(2),
        'servers only': (other.cpuMicros / own.cpuMicros).toFixed(2),
      },
    },
  ];
}

/** Rounds alternate, so that drift hits both. */
async function beside<T>(
  { seconds, rounds, log }: BenchContext,
  what: string,
  contenders: readonly [T, T],
  measure: (contender: T, seconds: number) => Promise<LoadResult>,
): Promise<[LoadResult[], LoadResult[]]> {
  const runs: [LoadResult[], LoadResult[]] = [[], []];
  for (const contender of contenders) await measure(contender, 2);
  for (let round = 0; round < rounds; round += 1) {
    runs[0].push(await measure(contenders[0], seconds));
    runs[1].push(await measure(contenders[1], seconds));
    const [own, other] = runs.map((list) => list.at(-1));
    log(`${what}, round ${round + 1}: ${JSON.stringify(own)}, peer ${JSON.stringify(other)}`);
  }
  return runs;
}

/** Both keep what they issue in the same PostgreSQL, which writes through to the disk. */
export const codeAndRefresh: Scenario = {
  name: 'code_and_refresh',
  async run(context) {
    const { system, demo } = context;
    const mint = await codeMint(context);
    const peer = await startPeer('oidc-provider-postgres', { DATABASE_URL: system.databaseUrl });
    const postgres = pidOf(system, 'postgres');
    const { issuer, clients } = demo.tenants.demo;
    const path = new URL(issuer).pathname;
    const ostiary = {
      name: 'Ostiary',
      tokenUrl: `${system.urls.auth}${path}/token`,
      introspectUrl: `${system.urls.auth}${path}/introspect`,
      authorization: basic(clients.api),
      clientId: mint.clientId,
      codes: (count: number) => mint.issue(count),
      most: 10_000,
      pids: [pidOf(system, 'auth')],
      stores: [postgres, pidOf(system, 'valkey')],
    };
    const peerCodes = async (count: number, resourceServer: boolean) =>
      (await peer.ask<{ codes: string[] }>({ codes: count, challenge: codeChallenge, resourceServer })).codes;
    const provider = {
      name: 'oidc-provider',
      tokenUrl: `${peer.origin}/token`,
      introspectUrl: `${peer.origin}/token/introspection`,
      authorization: basic({ client_id: 'resource-server', client_secret: 'bench-secret-bench-secret' }),
      clientId: 'app',
      codes: (count: number) => peerCodes(count, true),
      most: 4_000,
      pids: [peer.pid],
      stores: [postgres],
    };
    // It introspects opaque tokens only, which it looks up.
    const opaque = { ...provider, codes: (count: number) => peerCodes(count, false) };
    const names = ['Ostiary (PostgreSQL, codes in Valkey)', 'oidc-provider (PostgreSQL)'] as const;
    try {
      const exchanges = await beside(context, 'code exchange', [ostiary, provider], exchange);
      const refreshes = await beside(context, 'refresh', [ostiary, provider], refresh);
      const introspections = await beside(context, 'introspection', [ostiary, opaque], introspection);
      return [
        ...rows('code exchange', names, exchanges),
        ...rows('refresh with rotation', names, refreshes),
        ...rows(
          'introspection',
          [`${names[0]}, signed tokens`, `${names[1]}, opaque tokens`],
          introspections,
        ),
      ];
    } finally {
      mint.close();
      await peer.stop();
    }
  },
};
