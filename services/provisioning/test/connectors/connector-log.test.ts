import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { retentionSteps } from '../../src/composition/retention.ts';
import { countConnectorLog } from '../../src/connectors/data/connector-log.ts';
import { tidy } from '../../src/database/maintenance.jobs.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { managingConnectors, type RunningService, startService } from '../support/service.ts';

const tokenKey = randomBytes(32);
const scopes = managingConnectors;
const person = uuidv7();
const trace = '4bf92f3577b34da6a3ce929d0e0e4736';

let directory: RecordingDirectory;
let service: RunningService;
let other: RunningService;
let auditor: string;
let rival: string;
let admin: string;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url, tokenKey });
  other = await startService({
    directoryUrl: directory.url,
    tokenKey,
    database: service.databaseUrl,
    authorization: service.authorization,
  });
  const token = service.authorization.token;
  auditor = token({ subject: 'auditor', scopes: ['audit:read', 'connectors:read'] });
  rival = token({ tenant: 'rival', subject: 'auditor', scopes: ['audit:read', 'connectors:read'] });
  const authTime = Math.floor(Date.now() / 1000);
  for (const tenant of ['demo', 'rival']) service.authorization.ownership.owner({ tenant, id: person });
  admin = token({ subject: person, client: 'console', scopes, authTime });
});
afterAll(async () => {
  await other?.close();
  await service?.close();
  await directory?.close();
});

interface Entry {
  id: string;
  action: string;
  connectorVersion: number;
  changes: { attribute: string; before: string | null; after: string | null }[];
  [field: string]: unknown;
}

const fields = `id occurredAt action connectorId connectorVersion clientId ipAddress userAgent requestId traceId
  connector { id name } changes { attribute before after }
  actor { __typename kind id: actorId onBehalfOf onBehalfOfUser { id } ... on UserActor { user { id } } ... on ClientActor { client { id } } }`;
const query = `query ($filter: ConnectorLogFilter, $first: Int, $after: String, $last: Int, $before: String) {
  connectorLog(filter: $filter, first: $first, after: $after, last: $last, before: $before) {
    totalCount totalCountIsExact pageInfo { hasNextPage hasPreviousPage startCursor endCursor } edges { cursor node { ${fields} } } } }`;

const read = async (variables: object = {}, token = auditor) =>
  (await service.graph(query, { token, variables })).body;
const entries = async (filter: object, token = auditor): Promise<Entry[]> => {
  const { data, errors } = await read({ filter, first: 100 }, token);
  expect(errors).toBeUndefined();
  return data.connectorLog.edges.map(({ node }: { node: Entry }) => node);
};
/** Returns the changed attributes with the values before and after. */
const changesOf = ({ changes }: Entry): object =>
  Object.fromEntries(
    changes.map(({ attribute, before, after }) => [
      attribute,
      [before, after].map((value) => (value === null ? null : JSON.parse(value))),
    ]),
  );

async function mutate(mutation: string, token = admin, at = service) {
  const { body } = await at.graph(`mutation { ${mutation} }`, { token });
  expect(body.errors).toBeUndefined();
  return Object.values(body.data as object)[0];
}
const make = (name = 'Logged', input = '') =>
  mutate(`createConnector(input: { name: "${name}" ${input} }) { token connector { id tokens { id } } }`);

describe('The log of changes of connectors', () => {
  test('The log lists each change, newest first, with the values before and after and the resulting version.', async () => {
    const { connector, token } = await make('Logged', 'profile: OKTA, clientId: "logged"');
    const id = connector.id;
    const first = connector.tokens[0].id;
    await mutate(
      `updateConnector(input: { id: "${id}", name: "Renamed", clientId: null, access: READ_ONLY, limits: { pageSize: 5 } }) { repeated }`,
    );
    await mutate(`updateConnector(input: { id: "${id}", name: "Renamed" }) { repeated }`);
    await mutate(`disableConnector(input: { id: "${id}" }) { repeated }`);
    await mutate(`disableConnector(input: { id: "${id}" }) { repeated }`);
    await mutate(`enableConnector(input: { id: "${id}" }) { repeated }`);
    const rotated = await mutate(
      `rotateConnectorToken(input: { id: "${id}", overlapSeconds: 60 }) { token previousTokenExpiresAt connector { tokens { id } } }`,
    );
    const second = rotated.connector.tokens[0].id;
    await mutate(`revokeConnectorToken(input: { id: "${id}", tokenId: "${first}" }) { repeated }`);
    await mutate(`deleteConnector(input: { id: "${id}" }) { id }`);

    const log = await entries({ connectorId: id });
    expect(log.map(({ action, connectorVersion }) => [action, connectorVersion])).toEqual([
      ['connector.deleted', 7],
      ['connector.token_revoked', 6],
      ['connector.token_rotated', 5],
      ['connector.enabled', 4],
      ['connector.disabled', 3],
      ['connector.updated', 2],
      ['connector.created', 1],
    ]);
    const [deleted, revoked, rotation, enabled, disabled, updated, created] = log.map(changesOf);
    expect(created).toMatchObject({
      name: [null, 'Logged'],
      profile: [null, 'okta'],
      clientId: [null, 'logged'],
      status: [null, 'active'],
      tokens: [null, [first]],
      token: [null, '********'],
    });
    expect(updated).toEqual({
      name: ['Logged', 'Renamed'],
      clientId: ['logged', null],
      access: ['write', 'read'],
      limits: [{}, { pageSize: 5 }],
    });
    expect(disabled).toEqual({ status: ['active', 'disabled'] });
    expect(enabled).toEqual({ status: ['disabled', 'active'] });
    expect(rotation).toEqual({
      tokens: [[first], [second, first]],
      token: [null, '********'],
      previousTokenExpiresAt: [null, rotated.previousTokenExpiresAt],
    });
    expect(revoked).toEqual({ tokens: [[second, first], [second]] });
    expect(deleted).toMatchObject({
      name: ['Renamed', null],
      status: ['active', null],
      tokens: [[second], null],
    });
    expect(log.every((entry) => entry.connector === null && entry.connectorId === id)).toBe(true);
    for (const secret of [token, rotated.token]) expect(JSON.stringify(log)).not.toContain(secret);
  });

  test('The log records the actor, the client, the origin, the request and the trace of a change.', async () => {
    const response = await fetch(`${service.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${admin}`,
        'user-agent': `Console/1.0 ${'x'.repeat(300)}`,
        traceparent: `00-${trace}-00f067aa0ba902b7-01`,
        'x-request-id': 'request-of-the-test',
      },
      body: JSON.stringify({
        query: 'mutation { createConnector(input: { name: "Traced" }) { connector { id name } } }',
      }),
    });
    const { data } = (await response.json()) as { data: { createConnector: { connector: { id: string } } } };
    const { connector } = data.createConnector;
    const [entry] = await entries({ connectorId: connector.id });
    expect(entry).toMatchObject({
      connector,
      actor: { __typename: 'UserActor', kind: 'USER', id: person, onBehalfOf: null, user: { id: person } },
      clientId: 'console',
      ipAddress: expect.stringMatching(/127\.0\.0\.1$/),
      userAgent: `Console/1.0 ${'x'.repeat(244)}`,
      requestId: response.headers.get('x-request-id'),
    });
    expect(entry?.traceId).toBe(trace);
    expect(Math.abs(Date.parse(String(entry?.occurredAt)) - Date.now())).toBeLessThan(60_000);
  });

  test('The log distinguishes a client that acts for itself from one that acts for a user.', async () => {
    const token = service.authorization.token;
    const app = token({ subject: 'automation', scopes });
    const authTime = Math.floor(Date.now() / 1000);
    const delegated = token({ subject: person, client: 'helper', actor: 'helper', scopes, authTime });
    const made = await mutate('createConnector(input: { name: "By an app" }) { connector { id } }', app);
    // A client that acts for a user creates no connector: its token never counts as a recent sign-in.
    await mutate(
      `updateConnector(input: { id: "${made.connector.id}", name: "By a helper" }) { repeated }`,
      delegated,
    );
    const [own] = await entries({ actorId: 'automation' });
    expect(own?.actor).toMatchObject({
      __typename: 'ClientActor',
      kind: 'CLIENT',
      id: 'automation',
      onBehalfOf: null,
      client: { id: 'automation' },
    });
    const [forUser] = await entries({ actorId: 'helper' });
    expect(forUser?.actor).toMatchObject({
      __typename: 'ClientActor',
      id: 'helper',
      onBehalfOf: person,
      onBehalfOfUser: { id: person },
    });
  });

  test('Of concurrent changes in two processes, each has its log entry and each version has one.', async () => {
    const { connector } = await make('Contended');
    await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        mutate(
          `updateConnector(input: { id: "${connector.id}", name: "Name ${n}" }) { repeated }`,
          admin,
          n % 2 ? other : service,
        ),
      ),
    );
    const log = (await entries({ connectorId: connector.id })).sort(
      (a, b) => b.connectorVersion - a.connectorVersion,
    );
    expect(log.map(({ connectorVersion }) => connectorVersion)).toEqual(
      Array.from({ length: 13 }, (_, n) => 13 - n),
    );
    // Each begins with the state after the one before: no change is missing in the log.
    const names = log.map((entry) => (changesOf(entry) as { name: [string | null, string] }).name);
    for (const [i, [before]] of names.entries()) expect(before).toBe(names[i + 1]?.[1] ?? null);
  });

  test('A change and its log entry are committed together or not at all.', async () => {
    const { connector } = await make('Whole');
    const { sql } = service.database;
    await sql.query(
      `ALTER TABLE provisioning.connector_log ADD CONSTRAINT refusing CHECK (action <> 'connector.disabled') NOT VALID`,
    );
    try {
      const { body } = await service.graph(
        `mutation { disableConnector(input: { id: "${connector.id}" }) { connector { id } } }`,
        { token: admin },
      );
      expect(body.errors[0].extensions.code).toBe('INTERNAL_SERVER_ERROR');
    } finally {
      await sql.query('ALTER TABLE provisioning.connector_log DROP CONSTRAINT refusing');
    }
    const { body } = await service.graph(`{ connector(id: "${connector.id}") { status version } }`, {
      token: admin,
    });
    expect(body.data.connector).toEqual({ status: 'ACTIVE', version: 1 });
    // A rejected or repeated change leaves no entry.
    await service.graph(
      `mutation { disableConnector(input: { id: "${connector.id}", version: 9 }) { connector { id } } }`,
      { token: admin },
    );
    const again = `enableConnector(input: { id: "${connector.id}", idempotencyKey: "${uuidv7()}" }) { repeated }`;
    await mutate(again);
    await mutate(again);
    expect((await entries({ connectorId: connector.id })).map(({ action }) => action)).toEqual([
      'connector.created',
    ]);
  });

  test('The log can be filtered by connector, actor, action and time, and is counted only on request.', async () => {
    const { connector } = await make('Narrowed');
    await mutate(`disableConnector(input: { id: "${connector.id}" }) { repeated }`);
    const [disabled, created] = (await entries({ connectorId: connector.id })) as [Entry, Entry];
    const actions = async (filter: object) =>
      (await entries({ connectorId: connector.id, ...filter })).map(({ action }) => action);
    expect(await actions({ action: 'connector.disabled' })).toEqual(['connector.disabled']);
    expect(await actions({ actorId: person })).toHaveLength(2);
    expect(await actions({ actorId: 'nobody' })).toEqual([]);
    expect(await actions({ since: disabled.occurredAt, action: 'connector.created' })).toHaveLength(
      created.occurredAt === disabled.occurredAt ? 1 : 0,
    );
    expect(await actions({ until: created.occurredAt })).toEqual([]);
    expect(await entries({ connectorId: 'no id' })).toEqual([]);
    const filter = { connectorId: connector.id };
    const { data } = await read({ filter, first: 1 });
    expect(data.connectorLog).toMatchObject({ totalCount: 2, totalCountIsExact: true });
    const { sql } = service.database;
    expect(await countConnectorLog(sql, 'demo', filter, 2)).toEqual({ total: 2, isExact: true });
    expect(await countConnectorLog(sql, 'demo', filter, 1)).toEqual({ total: 1, isExact: false });
    expect((await read({ filter: { action: 'a\u0000' } })).errors[0].extensions.code).toBe('BAD_USER_INPUT');
  });

  test('The log requires audit:read, and nothing of another tenant is visible.', async () => {
    const { connector } = await make('Ours');
    expect((await read({}, admin)).errors[0].extensions.code).toBe('FORBIDDEN');
    expect(await entries({}, rival)).toEqual([]);
    expect(await entries({ connectorId: connector.id }, rival)).toEqual([]);
    const [entry] = (await entries({ connectorId: connector.id })) as [Entry];
    const reference = async (token: string) =>
      (
        await service.graph(
          `{ _entities(representations: [{ __typename: "ConnectorLogEntry", id: "${entry.id}" }]) {
            ... on ConnectorLogEntry { id action } } }`,
          { token },
        )
      ).body.data._entities;
    expect(await reference(auditor)).toEqual([{ id: entry.id, action: 'connector.created' }]);
    expect(await reference(rival)).toEqual([null]);
  });

  test('Log entries are deleted after their retention period, and idempotency keys after a day.', async () => {
    const { sql } = service.database;
    const { connector } = await make('Old', `idempotencyKey: "${uuidv7()}"`);
    await mutate(
      `disableConnector(input: { id: "${connector.id}", idempotencyKey: "${uuidv7()}" }) { repeated }`,
    );
    await sql.query(
      `UPDATE provisioning.connector_log SET occurred_at = now() - interval '31 days'
        WHERE connector_id = $1 AND action = 'connector.created'`,
      [connector.id],
    );
    await sql.query("UPDATE provisioning.idempotency_keys SET created_at = now() - interval '25 hours'");
    await make('New', `idempotencyKey: "${uuidv7()}"`);
    const keep = (connectorLogDays: number) =>
      tidy(
        retentionSteps({
          sql,
          connectors: service.app.connectors,
          submissions: service.app.submissions,
          ownerSearch: service.app.ownerSearch,
          logDays: 30,
          logEntries: 100,
          connectorLogDays,
        }),
      );
    await keep(32);
    expect(await entries({ connectorId: connector.id })).toHaveLength(2);
    await keep(30);
    expect((await entries({ connectorId: connector.id })).map(({ action }) => action)).toEqual([
      'connector.disabled',
    ]);
    const { rows } = await sql.query('SELECT 1 FROM provisioning.idempotency_keys');
    expect(rows).toHaveLength(1);
  });

  test('The log can be filtered by address, client, request and trace, alone and together, in one tenant only.', async () => {
    const token = service.authorization.token;
    const send = async (name: string, n: number, by: string) => {
      const response = await fetch(`${service.url}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${by}`,
          traceparent: `00-${String(n).repeat(32)}-00f067aa0ba902b7-01`,
          'x-request-id': `narrowed-request-${n}`,
        },
        body: JSON.stringify({
          query: `mutation { createConnector(input: { name: "${name}" }) { connector { id } } }`,
        }),
      });
      const { data } = (await response.json()) as {
        data: { createConnector: { connector: { id: string } } };
      };
      return data.createConnector.connector.id;
    };
    const by = (client: string, tenant = 'demo') =>
      token({ tenant, subject: person, client, scopes, authTime: Math.floor(Date.now() / 1000) });
    const first = await send('First', 1, by('narrowed-console'));
    const second = await send('Second', 2, by('narrowed-script'));
    const theirs = await send('Theirs', 1, by('narrowed-console', 'rival'));
    const [{ ipAddress }] = (await entries({ connectorId: first })) as [Entry];
    await service.database.sql.query(
      "UPDATE provisioning.connector_log SET ip_address = '198.51.100.7' WHERE connector_id = $1",
      [second],
    );
    const ids = async (filter: object, as = auditor) =>
      (await entries(filter, as)).map(({ connectorId }) => connectorId);
    const ofFirst = {
      clientId: 'narrowed-console',
      requestId: 'narrowed-request-1',
      traceId: '1'.repeat(32),
    };
    for (const [name, value] of Object.entries(ofFirst)) {
      expect([name, await ids({ [name]: value })]).toEqual([name, [first]]);
      expect([name, await ids({ [name]: value }, rival)]).toEqual([name, [theirs]]);
    }
    expect(await ids({ ipAddress: '198.51.100.7' })).toEqual([second]);
    expect(await ids({ ipAddress: '198.51.100.7' }, rival)).toEqual([]);
    expect(await ids({ ...ofFirst, ipAddress, action: 'connector.created', actorId: person })).toEqual([
      first,
    ]);
    expect(await ids({ ...ofFirst, ipAddress: '198.51.100.7' })).toEqual([]);
    expect(await ids({ ...ofFirst, ipAddress: null, clientId: null })).toEqual([first]);
    const counted = await read({ filter: { clientId: 'narrowed-script' }, first: 1 });
    expect(counted.data.connectorLog).toMatchObject({ totalCount: 1, totalCountIsExact: true });
    for (const name of ['clientId', 'requestId', 'traceId', 'actorId']) {
      const { data, errors } = await read({ filter: { [name]: 'a\u0000b' } });
      expect([errors, data.connectorLog.edges]).toEqual([undefined, []]);
    }
    for (const name of ['ipAddress', 'action']) {
      const { errors } = await read({ filter: { [name]: 'a\u0000b' } });
      expect(errors[0].extensions.code).toBe('BAD_USER_INPUT');
    }
  });
});
