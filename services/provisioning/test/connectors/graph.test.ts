import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { statementsDuring } from '@ostiary/database/testing';
import { currentRequestId, uuidv7 } from '@ostiary/service';
import { projectLinks } from '../../src/events/data/links.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { managingConnectors, type RunningService, startService } from '../support/service.ts';

let directory: RecordingDirectory;
let service: RunningService;
let admin: string;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
  admin = await tokenWith(...managingConnectors, 'provisioning:read');
});
afterAll(async () => {
  await service?.close();
  await directory?.close();
});

const tokenWith = (...scopes: string[]) => service.authorization.token({ subject: 'admin', scopes });
const codes = (answer: { body: { errors?: { extensions: { code: string } }[] } }) =>
  answer.body.errors?.map(({ extensions }) => extensions.code);

const create = `mutation ($input: CreateConnectorInput!) {
  createConnector(input: $input) {
    token
    connector { id name profile clientId status createdAt tokens { id expiresAt lastUsedAt } }
  }
}`;

describe('connectors', () => {
  test('Connectors are created with a token that works immediately.', async () => {
    const answer = await service.graph(create, { token: admin, variables: { input: { name: ' HR ' } } });
    expect(answer.body.errors).toBeUndefined();
    const { token, connector } = answer.body.data.createConnector;
    expect(connector).toMatchObject({ name: 'HR', profile: 'AUTO', clientId: null, status: 'ACTIVE' });
    expect(connector.tokens).toEqual([{ id: expect.any(String), expiresAt: null, lastUsedAt: null }]);
    expect((await service.scim('GET', '/Users', { token })).status).toBe(200);
    expect((await service.scim('GET', '/Users', { token, tenant: 'rival' })).status).toBe(401);
  });

  test('Tokens of connectors are rotated with an overlap, and without.', async () => {
    const { token: first, connector } = await service.connector();
    const rotate = `mutation ($id: ID!, $overlap: Int) {
      rotateConnectorToken(input: { id: $id, overlapSeconds: $overlap }) { token previousTokenExpiresAt connector { tokens { id } } }
    }`;
    const second = await service.graph(rotate, {
      token: admin,
      variables: { id: connector.id, overlap: 60 },
    });
    expect(second.body.data.rotateConnectorToken.previousTokenExpiresAt).toEqual(expect.any(String));
    expect(second.body.data.rotateConnectorToken.connector.tokens).toHaveLength(2);
    expect((await service.scim('GET', '/Users', { token: first })).status).toBe(200);
    const third = await service.graph(rotate, { token: admin, variables: { id: connector.id, overlap: 0 } });
    expect(third.body.data.rotateConnectorToken).toMatchObject({ previousTokenExpiresAt: null });
    expect(third.body.data.rotateConnectorToken.connector.tokens).toHaveLength(1);
    expect((await service.scim('GET', '/Users', { token: first })).status).toBe(401);
    expect(
      codes(await service.graph(rotate, { token: admin, variables: { id: connector.id, overlap: -1 } })),
    ).toEqual(['BAD_USER_INPUT']);
  });

  test('Connectors are disabled and enabled.', async () => {
    const { token, connector } = await service.connector();
    const set = (name: string) =>
      service.graph(`mutation ($id: ID!) { ${name}(input: { id: $id }) { connector { status } } }`, {
        token: admin,
        variables: { id: connector.id },
      });
    expect((await set('disableConnector')).body.data.disableConnector.connector.status).toBe('DISABLED');
    expect((await service.scim('GET', '/Users', { token })).status).toBe(401);
    expect((await set('enableConnector')).body.data.enableConnector.connector.status).toBe('ACTIVE');
    expect((await service.scim('GET', '/Users', { token })).status).toBe(200);
  });

  test('Connectors are listed in pages.', async () => {
    const names = ['one', 'two', 'three'];
    for (const name of names) await service.connector({ tenant: 'rival', name });
    const token = service.authorization.token({
      tenant: 'rival',
      subject: 'admin',
      scopes: ['connectors:read'],
    });
    const query = `query ($first: Int, $after: String) {
      connectors(first: $first, after: $after) { totalCount edges { node { name } } pageInfo { hasNextPage endCursor } }
    }`;
    const first = (await service.graph(query, { token, variables: { first: 2 } })).body.data.connectors;
    expect([first.pageInfo.hasNextPage, first.totalCount]).toEqual([true, 3]);
    const rest = (
      await service.graph(query, { token, variables: { first: 2, after: first.pageInfo.endCursor } })
    ).body.data.connectors;
    expect([...first.edges, ...rest.edges].map(({ node }: { node: { name: string } }) => node.name)).toEqual(
      names,
    );
    expect(rest.pageInfo.hasNextPage).toBe(false);
    expect(codes(await service.graph(query, { token, variables: { first: 0 } }))).toEqual(['BAD_USER_INPUT']);
    expect(codes(await service.graph(query, { token, variables: { after: 'forged' } }))).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  test('Connectors of another tenant do not exist for the caller.', async () => {
    const { connector } = await service.connector({ tenant: 'rival' });
    const query = 'query ($id: ID!) { connector(id: $id) { name } }';
    for (const id of [connector.id, uuidv7(), 'nonsense']) {
      expect((await service.graph(query, { token: admin, variables: { id } })).body).toEqual({
        data: { connector: null },
      });
      const refused = await service.graph(
        'mutation ($id: ID!) { disableConnector(input: { id: $id }) { connector { id } } }',
        {
          token: admin,
          variables: { id },
        },
      );
      expect(codes(refused)).toEqual(['NOT_FOUND']);
    }
  });

  test('Bad input for connectors is rejected.', async () => {
    for (const input of [
      { name: '' },
      { name: 'x'.repeat(201) },
      { name: 'a\u0000b' },
      { name: 'a', clientId: 'a b' },
    ]) {
      const answer = await service.graph(create, { token: admin, variables: { input } });
      expect(codes(answer)).toEqual(['BAD_USER_INPUT']);
    }
    await service.connector({ clientId: 'taken' });
    const taken = await service.graph(create, {
      token: admin,
      variables: { input: { name: 'a', clientId: 'taken' } },
    });
    expect(codes(taken)).toEqual(['CONFLICT']);
  });
});

describe('User.provisioning', () => {
  const entities = `query ($representations: [_Any!]!) {
    _entities(representations: $representations) {
      ... on User { id provisioning { source { id: sourceId name } externalId lastChangedAt } }
    }
  }`;
  const changedAt = new Date('2026-01-01T00:00:00.000Z');
  const ask = (token: string, ...ids: string[]) =>
    service.graph(entities, {
      token,
      variables: { representations: ids.map((id) => ({ __typename: 'User', id })) },
    });

  test('User.provisioning returns the sources of many users in one request.', async () => {
    const { connector } = await service.connector({ name: 'HR' });
    const [known, direct, unknown] = [uuidv7(), uuidv7(), uuidv7()];
    const link = (resourceId: string, source: string, externalIds: Record<string, string>) =>
      service.database.transaction((tx) =>
        projectLinks(tx, [
          {
            tenant: 'demo',
            resourceType: 'User',
            resourceId,
            version: 1,
            externalIds,
            source,
            changedAt,
            deleted: false,
          },
        ]),
      );
    await link(known, connector.id, { [connector.id]: 'hr-1' });
    await link(direct, 'direct', {});
    const answer = await ask(admin, known, direct, unknown, 'nonsense');
    expect(answer.body.errors).toBeUndefined();
    expect(answer.body.data._entities).toEqual([
      {
        id: known,
        provisioning: [
          {
            source: { id: connector.id, name: 'HR' },
            externalId: 'hr-1',
            lastChangedAt: '2026-01-01T00:00:00.000Z',
          },
        ],
      },
      {
        id: direct,
        provisioning: [
          {
            source: { id: 'direct', name: 'Direct' },
            externalId: null,
            lastChangedAt: '2026-01-01T00:00:00.000Z',
          },
        ],
      },
      { id: unknown, provisioning: [] },
      { id: 'nonsense', provisioning: [] },
    ]);
    const rival = service.authorization.token({
      tenant: 'rival',
      subject: 'admin',
      scopes: ['provisioning:read'],
    });
    expect((await ask(rival, known)).body.data._entities).toEqual([{ id: known, provisioning: [] }]);
  });

  test('User.provisioning of a hundred users runs each statement once.', async () => {
    const people = Array.from({ length: 100 }, uuidv7);
    const connectors = await Promise.all([1, 2, 3].map((n) => service.connector({ name: `Source ${n}` })));
    const sources = [...connectors.map(({ connector }) => connector.id), 'direct'];
    await service.database.transaction((tx) =>
      projectLinks(
        tx,
        people.map((resourceId, index) => ({
          tenant: 'demo',
          resourceType: 'User' as const,
          resourceId,
          version: 1,
          externalIds: Object.fromEntries(sources.map((source) => [source, `${index}`])),
          source: sources[index % sources.length] ?? 'direct',
          changedAt,
          deleted: false,
        })),
      ),
    );
    const sent = (ids: string[]) =>
      statementsDuring(
        async () => {
          const answer = await ask(admin, ...ids);
          expect(answer.body.errors).toBeUndefined();
          for (const { provisioning } of answer.body.data._entities) expect(provisioning).toHaveLength(4);
        },
        () => currentRequestId() !== undefined,
      );
    const statements = await sent(people);
    expect(statements.length).toBeGreaterThan(1);
    // No statement is repeated.
    expect(statements).toEqual([...new Set(statements)]);
  });

  test('User.provisioning is readable only by the user concerned and by callers with the scope.', async () => {
    const id = uuidv7();
    const owner = service.authorization.token({ subject: id, client: 'web' });
    expect((await ask(owner, id)).body.errors).toBeUndefined();
    expect(codes(await ask(owner, uuidv7()))).toEqual(expect.arrayContaining(['FORBIDDEN']));
    expect(codes(await ask(await tokenWith('users:read'), id))).toEqual(
      expect.arrayContaining(['FORBIDDEN']),
    );
  });
});

describe('access', () => {
  test('A request without a token is UNAUTHENTICATED, and one with a token that lacks the scope is FORBIDDEN.', async () => {
    const queries = [
      '{ connectors { pageInfo { hasNextPage } } }',
      '{ provisioningLog { pageInfo { hasNextPage } } }',
      'mutation { createConnector(input: { name: "x" }) { token } }',
    ];
    for (const query of queries) {
      expect(codes(await service.graph(query))).toEqual(['UNAUTHENTICATED']);
      expect(codes(await service.graph(query, { token: await tokenWith('users:read') }))).toEqual([
        'FORBIDDEN',
      ]);
    }
  });

  test('A connector token gives no access to the graph.', async () => {
    const { token } = await service.connector();
    const answer = await service.graph('{ connectors { pageInfo { hasNextPage } } }', { token });
    expect(answer.body.data?.connectors ?? null).toBeNull();
    expect(codes(answer)).toEqual(['UNAUTHENTICATED']);
  });
});

test('The provisioning log returns requests and their outcomes.', async () => {
  const { token, connector } = await service.connector({ name: 'Logged' });
  const id = uuidv7();
  await service.scim('GET', `/Users/${id}`, { token });
  await service.scim('GET', '/Users?count=x', { token });
  await service.app.logWriter.flush();
  const query = `query ($source: ID, $failed: Boolean, $resourceId: ID) {
    provisioningLog(source: $source, failed: $failed, resourceId: $resourceId) {
      edges { node { method resourceType resourceId status scimType detail actorKind source { name } } }
    }
  }`;
  const read = async (variables: object) => {
    const answer = await service.graph(query, {
      token: admin,
      variables: { source: connector.id, ...variables },
    });
    expect(answer.body.errors).toBeUndefined();
    return answer.body.data.provisioningLog.edges.map(({ node }: { node: object }) => node);
  };
  // A text with NUL is the id of no resource.
  expect(await read({ resourceId: `${id}\u0000` })).toEqual([]);
  const both = await read({});
  expect(both).toMatchObject([
    { method: 'GET', resourceType: 'USER', resourceId: null, status: 400, scimType: 'invalidValue' },
    {
      method: 'GET',
      resourceType: 'USER',
      resourceId: id,
      status: 200,
      detail: null,
      source: { name: 'Logged' },
    },
  ]);
  expect(await read({ failed: true })).toEqual([both[0]]);
  expect(await read({ resourceId: id })).toEqual([both[1]]);
  const rival = service.authorization.token({
    tenant: 'rival',
    subject: 'a',
    scopes: ['provisioning:read'],
  });
  const elsewhere = await service.graph(query, { token: rival, variables: { source: connector.id } });
  expect(elsewhere.body.data.provisioningLog.edges).toEqual([]);
});

test('The reconciler of the directory is informed of missing events.', async () => {
  const ask = (token: string | undefined, ids: unknown) =>
    fetch(`${service.url}/internal/v1/events/missing`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify({ ids }),
    });
  const token = service.authorization.serviceToken('directory', 'provisioning');
  const [there, missing] = [uuidv7(), uuidv7()];
  await service.database.sql.query(
    `INSERT INTO provisioning.inbox_entries (event_id, consumer) VALUES ($1, 'provisioning')`,
    [there],
  );
  const answer = await ask(token, [there, missing]);
  expect(await answer.json()).toEqual({ missing: [missing] });
  expect((await ask(undefined, [])).status).toBe(401);
  expect((await ask(admin, [])).status).toBe(401);
  expect((await ask(service.authorization.serviceToken('gateway', 'provisioning'), [])).status).toBe(403);
  expect((await ask(service.authorization.serviceToken('directory', 'auth'), [])).status).toBe(401);
  expect((await ask(token, ['x'])).status).toBe(400);
});

test('An event that the directory delivers outside of the queue is applied exactly once.', async () => {
  const hand = (token: string | undefined, body: unknown) =>
    fetch(`${service.url}/internal/v1/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify(body),
    }).then(({ status }) => status);
  const token = service.authorization.serviceToken('directory', 'provisioning');
  const id = uuidv7();
  const event = {
    id: uuidv7(),
    tenant: 'demo',
    type: 'user.deactivated',
    subject: id,
    version: 2,
    occurredAt: new Date().toISOString(),
    actor: { kind: 'system', id: 'test' },
    payload: {
      id,
      userName: 'direct',
      active: false,
      emails: [],
      externalIds: { source: 'x-1' },
      changedAt: new Date().toISOString(),
    },
  };
  expect(await Promise.all([1, 2, 3].map(() => hand(token, { events: [event] })))).toEqual([204, 204, 204]);
  const { rows } = await service.database.sql.query(
    `SELECT (SELECT count(*)::int FROM provisioning.inbox_entries WHERE event_id = $1) AS received,
            (SELECT external_id FROM provisioning.resource_links WHERE resource_id = $2) AS external_id`,
    [event.id, id],
  );
  expect(rows).toEqual([{ received: 1, external_id: 'x-1' }]);
  expect(await hand(undefined, { events: [event] })).toBe(401);
  expect(await hand(service.authorization.serviceToken('gateway', 'provisioning'), { events: [event] })).toBe(
    403,
  );
  expect(await hand(token, { events: [] })).toBe(400);
  expect(await hand(token, { events: [{ ...event, payload: null }] })).toBe(400);
});
