import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sentDuring } from '@ostiary/database/testing';
import { uuidv7 } from '@ostiary/service';
import type { SecurityLogFilter } from '../../../src/platform/audit/domain/security-log.ts';
import { countSecurityEvents, securityEvents } from '../../../src/platform/audit/security-log.data.ts';
import type { Connection } from '../../../src/platform/database/data/connection.ts';
import { type Asking, startAsking } from '../../support/sign-in/asking.ts';
import { rival } from '../../support/sign-in/service.ts';

let asking: Asking;
let admin: string;
let auditor: string;
let rivalAdmin: string;
let rivalAuditor: string;

beforeAll(async () => {
  asking = await startAsking();
  admin = await asking.machine('clients:write sessions:write users:write');
  auditor = await asking.machine('audit:read');
  rivalAdmin = await asking.machine('clients:write', rival);
  rivalAuditor = await asking.machine('audit:read', rival);
});
afterAll(() => asking.service.stop());

interface Entry {
  action: string;
  resourceId: string;
  clientId: string;
  ipAddress: string | null;
  requestId: string;
  traceId: string;
}

const log = `query ($filter: SecurityLogFilter) { securityLog(filter: $filter, first: 100) { totalCount
  edges { node { action resourceId clientId ipAddress requestId traceId } } } }`;
const read = async (filter: object, token = auditor): Promise<Entry[]> => {
  const { data } = await asking.ask(log, { filter }, token);
  const entries = data.securityLog.edges.map(({ node }: { node: Entry }) => node);
  expect(data.securityLog.totalCount).toBe(entries.length);
  return entries;
};

/** Returns the origin of a request, as the gateway sends it. */
const originOf = (ipAddress: string) => ({
  ipAddress,
  requestId: `req-${uuidv7()}`,
  traceId: randomBytes(16).toString('hex'),
});

async function send(
  query: string,
  variables: object,
  token: string,
  { ipAddress, requestId, traceId }: ReturnType<typeof originOf>,
) {
  const response = await fetch(`${asking.service.origin}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'x-forwarded-for': ipAddress,
      'x-request-id': requestId,
      traceparent: `00-${traceId}-b7ad6b7169203331-01`,
    },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as Awaited<ReturnType<Asking['ask']>>;
  expect(errors).toBeUndefined();
  return data;
}

const register = `mutation { registerClient(input: { name: "App", grantTypes: ["client_credentials"] }) {
  client { id } problems { code } } }`;

describe('filters of the security log', () => {
  test('The log is filtered by address, app, request and trace, alone and together, in its own tenant only.', async () => {
    const [here, there] = [originOf('198.51.100.7'), originOf('2001:db8::7')];
    const first = (await send(register, {}, admin, here)).registerClient.client.id;
    const second = (await send(register, {}, admin, there)).registerClient.client.id;
    // The same address, request and trace in another tenant are not found from this one.
    const theirs = (await send(register, {}, rivalAdmin, here)).registerClient.client.id;
    const [entry] = (await read({ resourceId: first })) as [Entry];
    expect(entry).toMatchObject({ ...here, action: 'client.registered' });
    const { clientId } = entry;
    const ids = async (filter: object, token = auditor) =>
      (await read(filter, token)).map(({ resourceId }) => resourceId);
    for (const [name, value] of Object.entries(here)) {
      expect([name, await ids({ [name]: value })]).toEqual([name, [first]]);
      expect([name, await ids({ [name]: value }, rivalAuditor)]).toEqual([name, [theirs]]);
    }
    for (const [name, value] of Object.entries(there)) {
      expect([name, await ids({ [name]: value })]).toEqual([name, [second]]);
      expect([name, await ids({ [name]: value }, rivalAuditor)]).toEqual([name, []]);
    }
    expect(await ids({ clientId })).toEqual([second, first]);
    expect(await ids({ clientId }, rivalAuditor)).toEqual([]);
    expect(await ids({ clientId, ...there, action: 'client.registered' })).toEqual([second]);
    expect(await ids({ ...here, requestId: there.requestId })).toEqual([]);
    expect(await ids({ ...here, clientId: null, traceId: null })).toEqual([first]);
    const { errors } = await asking.ask(log, { filter: { ipAddress: 'a\u0000b' } }, auditor);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
    // A malformed id matches nothing.
    for (const name of ['clientId', 'requestId', 'traceId'])
      expect(await ids({ [name]: 'a\u0000b' })).toEqual([]);
  });

  test('A filter by address finds only entries whose address is visible, so those of administrators stay hidden.', async () => {
    const { id, accessToken } = await asking.signedIn('filter-own');
    const [mine, theirs] = [originOf('203.0.113.5'), originOf('203.0.113.99')];
    await send(
      'mutation { createPersonalAccessToken(input: { name: "s" }) { token } }',
      {},
      accessToken,
      mine,
    );
    await send(
      'mutation ($id: ID!) { resetUserAccess(input: { userId: $id }) { url } }',
      { id },
      admin,
      theirs,
    );
    const own = async (filter: object) => (await read(filter, accessToken)).map(({ action }) => action);
    expect(await own({})).toEqual(expect.arrayContaining(['user.invited', 'personal_access_token.created']));
    expect(await own({ ipAddress: mine.ipAddress })).toEqual(['personal_access_token.created']);
    expect(await own({ ipAddress: theirs.ipAddress })).toEqual([]);
    expect(await own({ ipAddress: theirs.ipAddress, action: 'user.invited', userId: id })).toEqual([]);
    const [invited] = (await read({ ipAddress: theirs.ipAddress })) as [Entry];
    expect(invited).toMatchObject({ action: 'user.invited', ...theirs });
    for (const actorId of [invited.clientId, 'nobody']) {
      expect(await own({ ipAddress: theirs.ipAddress, actorId })).toEqual([]);
      expect(await own({ ipAddress: mine.ipAddress, actorId })).toEqual([]);
    }
    // Visible fields may be filtered by.
    expect(await own({ requestId: theirs.requestId })).toEqual(['user.invited']);
    expect(await own({ clientId: invited.clientId })).toEqual(['user.invited']);
    const other = await asking.signedIn('filter-other');
    expect(await read({ ipAddress: mine.ipAddress, userId: id }, other.accessToken)).toEqual([]);
    expect(await read({ ipAddress: mine.ipAddress }, other.accessToken)).toEqual([]);
  });
});

describe.each(['force_custom_plan', 'force_generic_plan'])('in a long log (%s)', (mode) => {
  const many = 30_000;
  const begin = Date.parse('2025-01-01T00:00:00Z');
  const at = (entry: number) => new Date(begin + entry * 60_000);
  const few = [7, many / 2, many - 7];

  beforeAll(async () => {
    const { sql } = asking.service.deps.database;
    await sql.query("DELETE FROM auth.security_log WHERE tenant IN ('long', 'longer')");
    await sql.query(
      `INSERT INTO auth.security_log (tenant, id, occurred_at, action, actor, actor_id, resource_type, resource_id,
         ip_address, client_id, request_id, trace_id)
       SELECT t, (lpad(to_hex($1::bigint + n * 60000::bigint), 12, '0') || '70008' || lpad(to_hex(n), 15, '0'))::uuid,
         to_timestamp(($1::bigint + n * 60000::bigint) / 1000.0), 'client.updated', '{"kind":"system","id":"x"}', 'x', 'Client', 'c',
         CASE WHEN n = ANY($2::int[]) THEN '192.0.2.77' ELSE '192.0.2.1' END,
         CASE WHEN n = ANY($2::int[]) THEN 'rare' ELSE 'console' END, 'r' || n, CASE WHEN n % 1000 = 7 THEN 't' || n END
       FROM unnest(ARRAY['long', 'longer']) t, generate_series(0, $3::int - 1) n`,
      [begin, few, many],
    );
    // All rows are in the statistics sample. A sample without the few entries would show one address for all rows, and
    // then every index would seem equally suitable.
    await sql.query('ALTER TABLE auth.security_log ALTER ip_address SET STATISTICS 1000');
    await sql.query('VACUUM ANALYZE auth.security_log');
  });

  /** Returns the number of entries that a query read, in the answer or not. */
  async function reading<T>(work: (sql: Connection) => Promise<T>): Promise<{ answer: T; read: number }> {
    const { database } = asking.service.deps;
    let answer: T | undefined;
    const sent = await sentDuring(
      async () => {
        answer = await work(database.sql);
      },
      () => true,
    );
    const questions = sent.filter(({ text }) => /^SELECT\b.*\bsecurity_log\b/s.test(text));
    expect(questions).not.toEqual([]);
    let read = 0;
    for (const { text, values } of questions) {
      read += await database.transaction(async (tx) => {
        await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
        await tx.query(`PREPARE explained AS ${text}`);
        const given = values.map((value) => (value instanceof Date ? value.toISOString() : String(value)));
        const { rows } = await tx.query<Record<'QUERY PLAN', [{ Plan: Node }]>>(
          `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained(${given.map((value) => `'${value}'`).join(', ')})`,
        );
        await tx.query('DEALLOCATE explained');
        return rowsOf((rows[0] as Record<'QUERY PLAN', [{ Plan: Node }]>)['QUERY PLAN'][0].Plan);
      });
    }
    return { answer: answer as T, read };
  }

  test.each<[string, SecurityLogFilter, number[]]>([
    ['an address', { ipAddress: '192.0.2.77' }, few],
    ['an app', { clientId: 'rare' }, few],
    ['a request', { requestId: 'r4711' }, [4711]],
    ['a trace', { traceId: 't3007' }, [3007]],
    ['nothing there', { ipAddress: '192.0.2.200' }, []],
    ['an address and an action', { ipAddress: '192.0.2.77', action: 'client.updated' }, few],
  ])(
    'A filter by %s finds its entries in a long log without reading all others.',
    async (_what, filter, expected) => {
      const { answer, read } = await reading((sql) =>
        securityEvents(sql, 'long', filter, { limit: 20, direction: 'forward' }),
      );
      expect(answer.map(({ occurredAt }) => occurredAt)).toEqual([...expected].reverse().map(at));
      const counted = await reading((sql) => countSecurityEvents(sql, 'long', filter));
      expect(counted.answer).toEqual({ total: expected.length, isExact: true });
      expect(read + counted.read).toBeLessThanOrEqual(2 * expected.length);
    },
  );

  test('A filter by an address that all entries share is paged like the log itself.', async () => {
    const { answer, read } = await reading((sql) =>
      securityEvents(sql, 'long', { ipAddress: '192.0.2.1' }, { limit: 20, direction: 'forward' }),
    );
    expect([answer.length, answer[0]?.occurredAt]).toEqual([20, at(many - 1)]);
    expect(read).toBeLessThanOrEqual(25);
    const within = { ipAddress: '192.0.2.1', since: at(many / 2), until: at(many / 2 + 10) };
    const some = await reading((sql) =>
      securityEvents(sql, 'long', within, { limit: 20, direction: 'forward' }),
    );
    expect(some.answer).toHaveLength(9);
    // One hour before and after.
    expect(some.read).toBeLessThanOrEqual(10 + 2 * 60);
  });
});

interface Node {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
}

const rowsOf = (node: Node): number =>
  (node['Relation Name'] === 'security_log'
    ? (node['Actual Rows'] +
        (node['Rows Removed by Filter'] ?? 0) +
        (node['Rows Removed by Index Recheck'] ?? 0)) *
      node['Actual Loops']
    : 0) + (node.Plans ?? []).reduce((sum, plan) => sum + rowsOf(plan), 0);
