import type { Request } from 'autocannon';
import { beside, rowsBeside } from '../beside.ts';
import { codeChallenge, codeForm, codeMint, redeemAll } from '../codes.ts';
import { type LoadResult, load } from '../measure.ts';
import { startPeer } from '../peer.ts';
import { pidOf, type Scenario } from '../scenario.ts';

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

/** Both keep what they issue in the same PostgreSQL, which writes through to the disk. */
export const codeAndRefresh: Scenario = {
  name: 'code_and_refresh',
  async run(context) {
    const { system, demo } = context;
    const mint = await codeMint(context);
    const peer = await startPeer('oidc-provider-postgres', { DATABASE_URL: system.databaseUrl });
    const postgres = pidOf(system, 'postgres');
    const path = new URL(demo.tenants.demo.issuer).pathname;
    const ostiary = {
      name: 'Ostiary',
      tokenUrl: `${system.urls.auth}${path}/token`,
      clientId: mint.clientId,
      codes: (count: number) => mint.issue(count),
      most: 10_000,
      pids: [pidOf(system, 'auth')],
      stores: [postgres, pidOf(system, 'valkey')],
    };
    const provider = {
      name: 'oidc-provider',
      tokenUrl: `${peer.origin}/token`,
      clientId: 'app',
      codes: async (count: number) =>
        (
          await peer.ask<{ codes: string[] }>({
            codes: count,
            challenge: codeChallenge,
            resourceServer: true,
          })
        ).codes,
      most: 4_000,
      pids: [peer.pid],
      stores: [postgres],
    };
    const names = ['Ostiary (PostgreSQL, codes in Valkey)', 'oidc-provider (PostgreSQL)'] as const;
    try {
      const exchanges = await beside(context, 'code exchange', [ostiary, provider], exchange);
      const refreshes = await beside(context, 'refresh', [ostiary, provider], refresh);
      return [
        ...rowsBeside('code exchange', names, exchanges),
        ...rowsBeside('refresh with rotation', names, refreshes),
      ];
    } finally {
      mint.close();
      await peer.stop();
    }
  },
};
