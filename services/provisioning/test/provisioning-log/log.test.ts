import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { retentionSteps } from '../../src/composition/retention.ts';
import { tidy } from '../../src/database/maintenance.jobs.ts';
import { countLog, insertLog } from '../../src/provisioning-log/log.data.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { byTheTest, type RunningService, startService } from '../support/service.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

let directory: RecordingDirectory;
let service: RunningService;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});

interface Entry {
  method: string;
  status: number;
  resourceType: string | null;
  resourceId: string | null;
  scimType: string | null;
  detail: string | null;
  actorKind: string;
  actorId: string;
  at: string;
  source: { id: string; name: string };
}

const parameters = `$source: ID, $resourceType: ConnectorResourceType, $resourceId: ID, $failed: Boolean,
  $outcome: ProvisioningOutcome, $since: DateTime, $until: DateTime, $first: Int, $after: String,
  $filter: ProvisioningLogFilter`;
const query = `query (${parameters}) {
  provisioningLog(source: $source, resourceType: $resourceType, resourceId: $resourceId, failed: $failed,
    outcome: $outcome, since: $since, until: $until, first: $first, after: $after) {
    edges { node { method status resourceType resourceId scimType detail actorKind actorId at source { id: sourceId name }
      actor { __typename kind id: actorId name onBehalfOf ... on ConnectorActor { connector { name } } ... on ClientActor { client { id } } } } }
    pageInfo { hasNextPage endCursor }
    totalCount totalCountIsExact
  }
  byFilter: provisioningLog(filter: $filter, first: $first, after: $after) {
    edges { node { method at: occurredAt } }
    totalCount
  }
}`;

/** Queries both forms, by arguments and by filter, which return the same entries. */
async function page(variables: Record<string, unknown>, tenant = 'demo') {
  await service.app.logWriter.flush();
  const token = service.authorization.token({
    tenant,
    subject: 'auditor',
    scopes: ['provisioning:read', 'connectors:read'],
  });
  const { first: _first, after: _after, failed, ...conditions } = variables;
  const filter = { ...(failed === true && { outcome: 'FAILED' }), ...conditions };
  const { body } = await service.graph(query, { token, variables: { ...variables, filter } });
  expect(body.errors).toBeUndefined();
  const { provisioningLog, byFilter } = body.data;
  expect(byFilter).toEqual({
    totalCount: provisioningLog.totalCount,
    edges: provisioningLog.edges.map(({ node: { method, at } }: { node: Entry }) => ({
      node: { method, at },
    })),
  });
  return provisioningLog;
}
/** Oldest first. */
const entries = async (variables: Record<string, unknown>, tenant?: string): Promise<Entry[]> =>
  (await page({ first: 100, ...variables }, tenant)).edges.map(({ node }: { node: Entry }) => node).reverse();

describe('Entries of the provisioning log', () => {
  test('A log entry states the request, its caller and its outcome.', async () => {
    const { token, connector } = await service.connector({ name: 'Writer' });
    const id = uuidv7();
    await service.scim('GET', `/Users/${id}`, { token });
    await service.scim('GET', '/Groups?count=1', { token });
    await service.scim('PATCH', `/Users/${id}`, { token, body: { schemas: [patchSchema], Operations: [] } });
    const who = {
      actorKind: 'connector',
      actorId: connector.id,
      actor: {
        __typename: 'ConnectorActor',
        kind: 'CONNECTOR',
        id: connector.id,
        name: null,
        onBehalfOf: null,
        connector: { name: 'Writer' },
      },
      source: { id: connector.id, name: 'Writer' },
    };
    expect(await entries({ source: connector.id })).toMatchObject([
      { ...who, method: 'GET', resourceType: 'USER', resourceId: id, status: 200, detail: null },
      { ...who, method: 'GET', resourceType: 'GROUP', resourceId: null, status: 200 },
      {
        ...who,
        method: 'PATCH',
        resourceId: id,
        status: 400,
        scimType: 'invalidSyntax',
        detail: expect.any(String),
      },
    ]);
  });

  test('A log entry names the client and the user of a request without a connector.', async () => {
    const id = uuidv7();
    const person = uuidv7();
    const { token } = service.authorization;
    await service.scim('GET', `/Users/${id}`, {
      token: token({ subject: 'automation', scopes: ['scim:read'] }),
    });
    await service.scim('GET', `/Users/${id}`, {
      token: token({ subject: person, client: 'console', scopes: ['scim:read'] }),
    });
    expect(await entries({ resourceId: id })).toMatchObject([
      {
        actor: { __typename: 'ClientActor', kind: 'CLIENT', id: 'automation', client: { id: 'automation' } },
      },
      { actor: { __typename: 'UserActor', kind: 'USER', id: person } },
    ]);
  });

  test('An entry is counted with the others that match the arguments, up to the limit of the count.', async () => {
    const { token, connector } = await service.connector();
    const id = uuidv7();
    for (const path of [`/Users/${id}`, `/Users/${id}`, '/Groups?count=1', '/Groups?count=nonsense']) {
      await service.scim('GET', path, { token });
    }
    const counts = async (variables: object, tenant?: string) => {
      const { totalCount, totalCountIsExact } = await page(
        { source: connector.id, first: 1, ...variables },
        tenant,
      );
      return [totalCount, totalCountIsExact];
    };
    expect(await counts({})).toEqual([4, true]);
    expect(await counts({ resourceId: id })).toEqual([2, true]);
    expect(await counts({ resourceType: 'GROUP' })).toEqual([2, true]);
    expect(await counts({ outcome: 'FAILED' })).toEqual([1, true]);
    expect(await counts({ until: '2026-01-01T00:00:00Z' })).toEqual([0, true]);
    expect(await counts({}, 'rival')).toEqual([0, true]);
    const { sql } = service.database;
    expect(await countLog(sql, 'demo', { source: connector.id }, 3)).toEqual({ total: 3, isExact: false });
    expect(await countLog(sql, 'demo', { source: connector.id, resourceId: id }, 3)).toEqual({
      total: 1,
      isExact: false,
    });
  });

  test('There is a log entry for every operation of a Bulk and for the Bulk itself.', async () => {
    const { token, connector } = await service.connector();
    const id = uuidv7();
    await service.scim('POST', '/Bulk', {
      token,
      body: {
        schemas: [bulkSchema],
        Operations: [
          { method: 'POST', path: '/Users', bulkId: 'a', data: { schemas: [userSchema], userName: 'bulk' } },
          { method: 'DELETE', path: `/Groups/${id}` },
          { method: 'POST', path: '/t/rival/scim/v2/Users', bulkId: 'b', data: {} },
        ],
      },
    });
    const logged = await entries({ source: connector.id });
    expect(logged).toHaveLength(4);
    expect(logged).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ method: 'POST', resourceType: 'USER', status: 201 }),
        expect.objectContaining({ method: 'DELETE', resourceType: 'GROUP', resourceId: id, status: 204 }),
        expect.objectContaining({ method: 'POST', resourceType: null, status: 400, scimType: 'invalidPath' }),
        expect.objectContaining({ method: 'POST', resourceType: null, status: 200 }),
      ]),
    );
  });

  test('There is a log entry for requests rejected with 403, 413, 415 and 429.', async () => {
    const { token, connector } = await service.connector({
      limits: { requestsPerMinute: 3 },
      rules: {
        access: 'read',
        resourceTypes: ['User'],
        attributes: null,
        protectedAccounts: { users: [], groups: [], administrators: false },
        vouchesForEmails: false,
      },
    });
    await service.scim('DELETE', `/Users/${uuidv7()}`, { token });
    await service.scim('GET', '/Groups', { token });
    await service.scim('POST', '/Users/.search', {
      token,
      body: 'x',
      headers: { 'content-type': 'text/plain' },
    });
    await service.scim('GET', '/Users', { token });
    expect(await entries({ source: connector.id })).toMatchObject([
      { method: 'DELETE', status: 403, detail: expect.any(String) },
      {
        method: 'GET',
        resourceType: 'GROUP',
        status: 403,
        detail: 'This identity source can access only Users.',
      },
      { method: 'POST', status: 415 },
      { method: 'GET', status: 429, detail: expect.stringContaining('Too many requests') },
    ]);
  });

  test('There is no log entry for an unauthenticated caller, who therefore cannot fill the log of a tenant.', async () => {
    const before = (await entries({})).length;
    await service.scim('GET', '/Users');
    await service.scim('GET', '/Users', { token: 'ost_scim_wrong' });
    expect(await entries({})).toHaveLength(before);
  });

  test('A log entry contains no secret, no body and no complete address.', async () => {
    const { token, connector } = await service.connector();
    const password = 'correct horse battery staple';
    const address = 'ada.lovelace@example.com';
    await service.scim('POST', '/Users', {
      token,
      body: { schemas: [userSchema], userName: address, password, displayName: 'Ada Lovelace' },
    });
    await service.scim('POST', '/Users', { token, body: { schemas: [address], userName: address } });
    await service.scim('GET', `/Users?filter=${encodeURIComponent(`userName eq ${address}`)}`, { token });
    await service.scim('PATCH', `/Users/${uuidv7()}`, {
      token,
      body: { schemas: [patchSchema], Operations: [{ op: 'replace', path: address, value: password }] },
    });
    const logged = await entries({ source: connector.id });
    expect(logged).toHaveLength(4);
    const { rows } = await service.database.sql.query(
      'SELECT * FROM provisioning.provisioning_log WHERE source = $1',
      [connector.id],
    );
    const text = JSON.stringify([logged, rows]);
    for (const secret of [password, token, 'ada.lovelace', 'Ada Lovelace'])
      expect(text).not.toContain(secret);
  });

  test('A log entry keeps the name of a source that was deleted.', async () => {
    const { token, connector } = await service.connector({ name: 'Former' });
    await service.scim('GET', '/Users', { token });
    await service.app.administration.remove(byTheTest(), { id: connector.id });
    expect(await entries({ source: connector.id })).toMatchObject([{ source: { name: 'Former' } }]);
  });
});

describe('The provisioning log', () => {
  const id = uuidv7();
  let source: string;
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));

  beforeAll(async () => {
    source = (await service.connector()).connector.id;
    const entry = (minute: number, status: number, resourceType: string | null, tenant = 'demo') => ({
      tenant,
      id: uuidv7(at(minute).getTime()),
      source,
      actorKind: 'connector',
      actorId: source,
      at: at(minute),
      method: 'PATCH',
      resourceType,
      resourceId: resourceType === 'User' ? id : null,
      status,
      scimType: null,
      detail: null,
      requestId: 'r',
      durationMs: 1,
    });
    await insertLog(service.database.sql, [
      entry(1, 200, 'User'),
      entry(2, 400, 'User'),
      entry(3, 403, 'Group'),
      entry(4, 409, 'User'),
      entry(5, 429, null),
      entry(6, 503, 'Group'),
      entry(7, 200, 'User', 'rival'),
    ]);
  });

  const statuses = async (variables: object, tenant?: string) =>
    (await entries({ source, ...variables }, tenant)).map(({ status }) => status);

  test.each([
    [{}, [200, 400, 403, 409, 429, 503]],
    [{ outcome: 'SUCCEEDED' }, [200]],
    [{ outcome: 'FAILED' }, [400, 403, 409, 429, 503]],
    [{ failed: true }, [400, 403, 409, 429, 503]],
    [{ outcome: 'FORBIDDEN' }, [403]],
    [{ outcome: 'CONFLICT' }, [409]],
    [{ outcome: 'RATE_LIMITED' }, [429]],
    [{ outcome: 'UNAVAILABLE' }, [503]],
    [{ outcome: 'SUCCEEDED', failed: true }, [200]],
    [{ resourceType: 'USER' }, [200, 400, 409]],
    [{ resourceType: 'GROUP', outcome: 'FAILED' }, [403, 503]],
    [{ resourceId: id }, [200, 400, 409]],
    [{ since: at(4) }, [409, 429, 503]],
    [{ until: at(4) }, [200, 400, 403]],
    [{ since: at(2), until: at(5), resourceType: 'USER' }, [400, 409]],
    [{ since: at(7) }, []],
    [{ since: '1960-01-01T00:00:00Z', until: '9999-01-01T00:00:00Z' }, [200, 400, 403, 409, 429, 503]],
  ])('The log filtered by %j returns exactly the matching entries.', async (variables, expected) => {
    expect(await statuses(variables)).toEqual(expected);
  });

  test('The log of another tenant is a separate log.', async () => {
    expect(await statuses({}, 'rival')).toEqual([200]);
    expect(await statuses({ resourceId: id, since: at(1), until: at(6) }, 'rival')).toEqual([]);
  });

  test('The log is read in pages that keep their filter.', async () => {
    const first = await page({ source, resourceType: 'USER', first: 2 });
    const second = await page({ source, resourceType: 'USER', first: 2, after: first.pageInfo.endCursor });
    const seen = [...first.edges, ...second.edges].map(({ node }: { node: Entry }) => node.status);
    expect(seen).toEqual([409, 400, 200]);
    expect(second.pageInfo.hasNextPage).toBe(false);
  });

  test('The log is bounded by age, and by number for each tenant separately.', async () => {
    const keep = (logDays: number, logEntries: number) =>
      tidy(
        retentionSteps({
          sql: service.database.sql,
          connectors: service.app.connectors,
          submissions: service.app.submissions,
          ownerSearch: service.app.ownerSearch,
          logDays,
          logEntries,
          connectorLogDays: 400,
        }),
      );
    const { token, connector } = await service.connector();
    for (let n = 0; n < 5; n += 1) await service.scim('GET', `/Users/${uuidv7()}`, { token });
    const newest = await entries({ source: connector.id });
    await keep(100_000, 3);
    expect(await entries({})).toEqual(newest.slice(-3));
    expect(await statuses({}, 'rival')).toEqual([200]);
    await service.database.sql.query(
      `UPDATE provisioning.provisioning_log SET at = now() - interval '31 days' WHERE tenant = 'rival'`,
    );
    await keep(30, 100);
    expect(await statuses({}, 'rival')).toEqual([]);
    expect(await entries({})).toHaveLength(3);
  });
});
