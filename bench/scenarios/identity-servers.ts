import { beside, rowsBeside } from '../beside.ts';
import { type CodeMint, codeForm, codeMint, redeemAll } from '../codes.ts';
import { startHydra } from '../identity-servers/hydra.ts';
import type { IdentityServer } from '../identity-servers/identity-server.ts';
import { startKeycloak } from '../identity-servers/keycloak.ts';
import { type LoadResult, load } from '../measure.ts';
import { type BenchContext, basic, pidOf, type Row, type Scenario } from '../scenario.ts';
import { authorizationServer, type CodeContender, exchange, post, refresh } from '../token-load.ts';

interface Contender extends CodeContender {
  introspectUrl: string;
  userinfoUrl: string;
  /** Authorization of a client for its own tokens. */
  machine: string;
  /** Authorization of a resource server. */
  resourceServer: string;
}

/** Number of tokens that are requested repeatedly, as by resource servers. */
const usual = 64;
/**
 * Warm-up of the peer in seconds: Java compiles frequent code after thousands of requests. More codes would take
 * minutes.
 */
const warmUpSeconds = { exchange: 8, other: 20 } as const;

const machineToken = (contender: Contender, seconds: number): Promise<LoadResult> =>
  post(
    contender,
    contender.tokenUrl,
    { headers: { authorization: contender.machine }, body: 'grant_type=client_credentials' },
    seconds,
  );

async function tokensOf({ codes, clientId, tokenUrl }: Contender): Promise<string[]> {
  const forms = (await codes(usual)).map((code) => codeForm(clientId, code));
  return (await redeemAll(tokenUrl, forms)).map(({ access_token }) => access_token);
}

async function introspection(contender: Contender, seconds: number): Promise<LoadResult> {
  const tokens = await tokensOf(contender);
  const headers = { authorization: contender.resourceServer };
  const known = await fetch(contender.introspectUrl, {
    method: 'POST',
    headers,
    body: new URLSearchParams({ token: tokens[0] ?? '' }),
  });
  const { active } = (await known.json()) as { active?: boolean };
  if (active !== true) throw new Error(`${contender.name} doesn't know its own token`);
  let turn = 0;
  return post(
    contender,
    contender.introspectUrl,
    {
      headers,
      setupRequest: (request) => ({ ...request, body: `token=${tokens[turn++ % usual]}` }),
    },
    seconds,
  );
}

async function userinfo(contender: Contender, seconds: number): Promise<LoadResult> {
  const tokens = await tokensOf(contender);
  const { origin, pathname } = new URL(contender.userinfoUrl);
  let turn = 0;
  return load({
    url: origin,
    seconds,
    pids: contender.pids,
    stores: contender.stores,
    requests: [
      {
        path: pathname,
        setupRequest: (request) => ({
          ...request,
          headers: { authorization: `Bearer ${tokens[turn++ % usual]}` },
        }),
      },
    ],
  });
}

function own(context: BenchContext, mint: CodeMint): Contender {
  const server = authorizationServer(context, mint);
  const base = server.tokenUrl.replace(/\/token$/, '');
  const { clients } = context.demo.tenants.demo;
  return {
    ...server,
    most: 4_000,
    introspectUrl: `${base}/introspect`,
    userinfoUrl: `${base}/userinfo`,
    machine: basic(clients.admin),
    resourceServer: basic(clients.api),
  };
}

function theirs({ system }: BenchContext, server: IdentityServer): Contender {
  return {
    ...server,
    machine: basic(server.machine),
    resourceServer: basic(server.machine),
    most: 1_000,
    pids: [server.pid],
    stores: [pidOf(system, 'postgres')],
  };
}

/** Measures one operation after the other, with alternating rounds of both servers. */
async function rowsOf(context: BenchContext, contenders: readonly [Contender, Contender]): Promise<Row[]> {
  const [, peer] = contenders;
  const rows: Row[] = [];
  for (const [what, measure, seconds] of [
    ['client_credentials', machineToken, warmUpSeconds.other],
    ['code exchange', exchange, warmUpSeconds.exchange],
    ['refresh with rotation', refresh, warmUpSeconds.other],
    ['introspection', introspection, warmUpSeconds.other],
    ['userinfo', userinfo, warmUpSeconds.other],
  ] as const) {
    await measure(peer, seconds);
    const runs = await beside(context, what, contenders, measure);
    rows.push(...rowsBeside(what, ['Ostiary', peer.name], runs, peer.name));
  }
  return rows;
}

/**
 * The token endpoint and requests about tokens, compared with other identity servers on the same PostgreSQL: the
 * Keycloak of the folder KEYCLOAK_HOME, the Hydra at HYDRA_PATH, or both.
 */
export const identityServers: Scenario = {
  name: 'identity_servers',
  onRequest: true,
  async run(context) {
    const { KEYCLOAK_HOME: home, HYDRA_PATH: program } = process.env;
    const { databaseUrl } = context.system;
    const starts = [
      ...(home === undefined ? [] : [() => startKeycloak(home, databaseUrl)]),
      ...(program === undefined ? [] : [() => startHydra(program, databaseUrl)]),
    ];
    if (starts.length === 0)
      throw new Error(
        'KEYCLOAK_HOME has to name an unpacked Keycloak, or HYDRA_PATH an executable of Hydra.',
      );
    const mint = await codeMint(context);
    const rows: Row[] = [];
    try {
      for (const start of starts) {
        const server = await start();
        try {
          rows.push(...(await rowsOf(context, [own(context, mint), theirs(context, server)])));
        } finally {
          await server.stop();
        }
      }
    } finally {
      mint.close();
    }
    return rows;
  },
};
