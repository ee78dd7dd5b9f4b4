import type { Request } from 'autocannon';
import { type CodeMint, codeForm, redeemAll } from './codes.ts';
import { type LoadResult, load } from './measure.ts';
import { type BenchContext, pidOf } from './scenario.ts';

/** A server that issues codes on request, and its processes. */
export interface CodeContender {
  name: string;
  tokenUrl: string;
  clientId: string;
  codes(count: number): Promise<string[]>;
  /** Upper bound of the exchanges per second. */
  most: number;
  pids: readonly number[];
  stores: readonly number[];
}

/** Returns Ostiary's authorization server without the gateway. */
export function authorizationServer({ system, demo }: BenchContext, mint: CodeMint): CodeContender {
  return {
    name: 'Ostiary',
    tokenUrl: `${system.urls.auth}${new URL(demo.tenants.demo.issuer).pathname}/token`,
    clientId: mint.clientId,
    codes: (count) => mint.issue(count),
    most: 10_000,
    pids: [pidOf(system, 'auth')],
    stores: [pidOf(system, 'postgres'), pidOf(system, 'valkey')],
  };
}

type Charged = Pick<CodeContender, 'pids' | 'stores'>;

const form = { 'content-type': 'application/x-www-form-urlencoded' };
const connections = 16;
const text = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

/** Posts forms to one URL, each as `setupRequest` or `body` specifies. */
export function post(
  { pids, stores }: Charged,
  address: string,
  request: Partial<Request>,
  seconds: number,
): Promise<LoadResult> {
  const { origin, pathname } = new URL(address);
  const headers = { ...form, ...request.headers };
  return load({
    url: origin,
    seconds,
    connections,
    pids,
    stores,
    requests: [{ method: 'POST', path: pathname, ...request, headers }],
  });
}

/** Redeems a separate, prepared code with each request. */
export async function exchange(contender: CodeContender, seconds: number): Promise<LoadResult> {
  const codes = await contender.codes(seconds * contender.most);
  return post(
    contender,
    contender.tokenUrl,
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

/** Sends chains of refreshes: each answer contains the refresh token of a later request. */
export async function refresh(contender: CodeContender, seconds: number): Promise<LoadResult> {
  const codes = await contender.codes(connections * 2);
  const forms = codes.map((code) => codeForm(contender.clientId, code));
  const tokens = (await redeemAll(contender.tokenUrl, forms)).map(({ refresh_token }) => refresh_token);
  return post(
    contender,
    contender.tokenUrl,
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
