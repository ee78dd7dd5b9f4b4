import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { managingConnectors, type RunningService, startService } from '../support/service.ts';

const tokenKey = randomBytes(32);
const scopes = managingConnectors;

let directory: RecordingDirectory;
let service: RunningService;
/** Another process on the same data. */
let other: RunningService;
let admin: string;
let rival: string;

beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url, tokenKey });
  other = await startService({
    directoryUrl: directory.url,
    tokenKey,
    database: service.databaseUrl,
    authorization: service.authorization,
  });
  admin = service.authorization.token({ subject: 'admin', scopes });
  rival = service.authorization.token({ tenant: 'rival', subject: 'admin', scopes });
});
afterAll(async () => {
  await other?.close();
  await service?.close();
  await directory?.close();
});

const inputs: Record<string, string> = {
  disableConnector: 'ConnectorInput',
  enableConnector: 'ConnectorInput',
  deleteConnector: 'ConnectorInput',
};
const problemFields = `problems { __typename code message path
  ... on VersionConflict { currentVersion } ... on NotUnique { attribute } ... on InvalidInput { attribute } }`;
const connectorFields = 'connector { id name status version clientId tokens { id } }';
const selections: Record<string, string> = {
  deleteConnector: 'id repeated',
  createConnector: `${connectorFields} token repeated`,
  rotateConnectorToken: `${connectorFields} token previousTokenExpiresAt repeated`,
};

/** Executes a mutation that selects its problems, and returns its payload. */
async function change(name: string, input: object, o: { token?: string; at?: RunningService } = {}) {
  const type = inputs[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const { body } = await (o.at ?? service).graph(
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${selections[name] ?? `${connectorFields} repeated`} ${problemFields} } }`,
    { token: o.token ?? admin, variables: { input } },
  );
  expect(body.errors).toBeUndefined();
  return body.data[name];
}

const make = async (input: object = {}) => change('createConnector', { name: 'Changing', ...input });
const problem = async (name: string, input: object) => {
  const payload = await change(name, input);
  expect({
    connector: payload.connector ?? null,
    id: payload.id ?? null,
    token: payload.token ?? null,
  }).toEqual({
    connector: null,
    id: null,
    token: null,
  });
  expect(payload.problems).toHaveLength(1);
  return payload.problems[0];
};

describe('Problems of connector changes', () => {
  test('The payload of a successful change contains an empty list of problems.', async () => {
    const { connector, token, problems } = await make();
    expect({ problems, token }).toEqual({ problems: [], token: expect.stringMatching(/^ost_scim_/) });
    const { problems: none, connector: renamed } = await change('updateConnector', {
      id: connector.id,
      name: 'Renamed',
    });
    expect([none, renamed.name]).toEqual([[], 'Renamed']);
  });

  test.each([
    ['updateConnector', {}],
    ['deleteConnector', {}],
    ['disableConnector', {}],
    ['enableConnector', {}],
    ['rotateConnectorToken', {}],
    ['revokeConnectorToken', { tokenId: uuidv7() }],
  ])('%s of a connector that does not exist gives NotFound.', async (name, input) => {
    for (const id of [uuidv7(), 'no id']) {
      expect(await problem(name, { id, ...input })).toMatchObject({
        __typename: 'NotFound',
        code: 'NOT_FOUND',
        path: ['input', 'id'],
      });
    }
  });

  test('A token that does not exist gives NotFound at its own argument.', async () => {
    const { connector } = await make();
    for (const tokenId of [uuidv7(), 'no id']) {
      expect(await problem('revokeConnectorToken', { id: connector.id, tokenId })).toMatchObject({
        __typename: 'NotFound',
        path: ['input', 'tokenId'],
      });
    }
  });

  test('A client that another connector already uses gives NotUnique.', async () => {
    await make({ clientId: 'spoken-for' });
    const { connector } = await make();
    const taken = { __typename: 'NotUnique', path: ['input', 'clientId'], attribute: 'clientId' };
    expect(await problem('createConnector', { name: 'Second', clientId: 'spoken-for' })).toMatchObject(taken);
    expect(await problem('updateConnector', { id: connector.id, clientId: 'spoken-for' })).toMatchObject(
      taken,
    );
  });

  test('Of connectors that request one client concurrently, one gets it and the others give NotUnique.', async () => {
    const made = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        change('createConnector', { name: `C${n}`, clientId: 'coveted' }, { at: n % 2 ? other : service }),
      ),
    );
    expect(made.filter(({ connector }) => connector !== null)).toHaveLength(1);
    expect(made.flatMap(({ problems }) => problems).map(({ code }) => code)).toEqual(
      Array.from({ length: 5 }, () => 'NOT_UNIQUE'),
    );
  });

  test.each<[object, string[]]>([
    [{ name: ' ' }, ['name']],
    [{ clientId: 'a b' }, ['clientId']],
    [{ limits: { pageSize: 0 } }, ['limits', 'pageSize']],
    [{ resourceTypes: [] }, ['resourceTypes']],
    [{ attributes: { mode: 'ONLY', paths: ['noSuchAttribute'] } }, ['attributes', 'paths']],
    [
      { protectedAccounts: { groupIds: Array.from({ length: 501 }, () => uuidv7()) } },
      ['protectedAccounts', 'groupIds'],
    ],
    [{ idempotencyKey: '' }, ['idempotencyKey']],
    [{ idempotencyKey: 'k'.repeat(201) }, ['idempotencyKey']],
  ])('The bad input %j gives InvalidInput with its location.', async (input, path) => {
    const expected = { __typename: 'InvalidInput', path: ['input', ...path], attribute: path.join('.') };
    expect(await problem('createConnector', { name: 'Bad', ...input })).toMatchObject(expected);
    const { connector } = await make();
    expect(await problem('updateConnector', { id: connector.id, ...input })).toMatchObject(expected);
  });

  test('A problem that is not selected is a request error, and an unauthorized caller gets no payload.', async () => {
    const { body } = await service.graph(
      `mutation { disableConnector(input: { id: "${uuidv7()}" }) { connector { id } } }`,
      { token: admin },
    );
    expect([body.data.disableConnector, body.errors[0].extensions.code]).toEqual([null, 'NOT_FOUND']);
    const reader = service.authorization.token({ subject: 'r', scopes: ['connectors:read'] });
    const refused = await service.graph(
      `mutation { disableConnector(input: { id: "${uuidv7()}" }) { connector { id } ${problemFields} } }`,
      { token: reader },
    );
    expect(refused.body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  test('A connector of another tenant gives the same problem as one that does not exist.', async () => {
    const { connector } = await make();
    const { problems } = await change('deleteConnector', { id: connector.id }, { token: rival });
    expect(problems).toMatchObject([{ __typename: 'NotFound' }]);
  });
});

describe('versions', () => {
  test('Versions grow with each change, also of tokens, and a change without an effect keeps the version.', async () => {
    const { connector } = await make();
    const { id } = connector;
    const versions = [connector.version];
    for (const [name, input] of [
      ['updateConnector', { name: 'Other' }],
      ['updateConnector', { name: 'Other' }],
      ['disableConnector', {}],
      ['disableConnector', {}],
      ['enableConnector', {}],
      ['rotateConnectorToken', { overlapSeconds: 60 }],
      ['revokeConnectorToken', { tokenId: connector.tokens[0].id }],
    ] as const) {
      versions.push((await change(name, { id, ...input })).connector.version);
    }
    expect(versions).toEqual([1, 2, 2, 3, 3, 4, 5, 6]);
  });

  test.each([
    'updateConnector',
    'disableConnector',
    'deleteConnector',
    'rotateConnectorToken',
    'revokeConnectorToken',
  ])(
    '%s of a past version gives VersionConflict and changes nothing, and of the current version it is made.',
    async (name) => {
      const { connector } = await make();
      const { id } = connector;
      await change('updateConnector', { id, name: 'Meanwhile' });
      const more = name === 'revokeConnectorToken' ? { tokenId: connector.tokens[0].id } : {};
      const input = name === 'updateConnector' ? { name: 'Late' } : more;
      expect(await problem(name, { id, version: 1, ...input })).toMatchObject({
        __typename: 'VersionConflict',
        path: ['input', 'version'],
        currentVersion: 2,
      });
      const { body } = await service.graph(
        `{ connector(id: "${id}") { name status version tokens { id } } }`,
        {
          token: admin,
        },
      );
      expect(body.data.connector).toEqual({
        name: 'Meanwhile',
        status: 'ACTIVE',
        version: 2,
        tokens: connector.tokens,
      });
      expect((await change(name, { id, version: 2, ...input })).problems).toEqual([]);
    },
  );

  test('Of concurrent changes in two processes based on one version, one is made.', async () => {
    const { connector } = await make();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        change(
          'updateConnector',
          { id: connector.id, version: 1, name: `Name ${n}` },
          { at: n % 2 ? other : service },
        ),
      ),
    );
    const made = answers.filter(({ problems }) => problems.length === 0);
    expect(made).toHaveLength(1);
    expect(answers.flatMap(({ problems }) => problems)).toHaveLength(7);
    const { body } = await service.graph(`{ connector(id: "${connector.id}") { name version } }`, {
      token: admin,
    });
    expect(body.data.connector).toEqual({ name: made[0].connector.name, version: 2 });
  });
});

describe('idempotency keys', () => {
  const count = async (name: string) => {
    const { rows } = await service.database.sql.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM provisioning.connectors WHERE name = $1',
      [name],
    );
    return rows[0]?.n;
  };

  test('Of many concurrent requests in two processes with one key, one makes a connector and returns its token.', async () => {
    const input = { name: 'Made once', idempotencyKey: uuidv7() };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => change('createConnector', input, { at: n % 2 ? other : service })),
    );
    expect(await count('Made once')).toBe(1);
    expect(new Set(answers.map(({ connector }) => connector.id)).size).toBe(1);
    expect(answers.filter(({ repeated }) => !repeated)).toHaveLength(1);
    for (const { token, repeated, problems } of answers) {
      expect({ problems, token }).toEqual({
        problems: [],
        token: repeated ? null : expect.stringMatching(/^ost_scim_/),
      });
    }
  });

  test('Of many concurrent rotations with one key, one makes a token, and the others return the connector without it.', async () => {
    const { connector } = await make();
    const input = { id: connector.id, version: 1, overlapSeconds: 600, idempotencyKey: uuidv7() };
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        change('rotateConnectorToken', input, { at: n % 2 ? other : service }),
      ),
    );
    const [made, ...more] = answers.filter(({ repeated }) => !repeated);
    expect(more).toEqual([]);
    expect((await service.scim('GET', '/Users', { token: made.token })).status).toBe(200);
    for (const answer of answers.filter(({ repeated }) => repeated)) {
      expect(answer).toMatchObject({ token: null, previousTokenExpiresAt: null, problems: [] });
      expect(answer.connector).toMatchObject({ id: connector.id, version: 2 });
      expect(answer.connector.tokens).toHaveLength(2);
    }
  });

  test('A repetition changes nothing, also after other changes, and returns the current connector.', async () => {
    const { connector } = await make();
    const { id } = connector;
    const disable = { id, version: 1, idempotencyKey: uuidv7() };
    expect(await change('disableConnector', disable)).toMatchObject({ repeated: false });
    await change('enableConnector', { id });
    expect(await change('disableConnector', disable)).toMatchObject({
      repeated: true,
      problems: [],
      connector: { status: 'ACTIVE', version: 3 },
    });
    const remove = { id, idempotencyKey: uuidv7() };
    expect(await change('deleteConnector', remove)).toMatchObject({ id, repeated: false });
    expect(await change('deleteConnector', remove)).toMatchObject({ id, repeated: true, problems: [] });
    expect(await change('disableConnector', disable)).toMatchObject({ repeated: true, connector: null });
  });

  test('One key with another input is IdempotencyKeyReused; for another mutation, caller or tenant it is another key.', async () => {
    const idempotencyKey = uuidv7();
    const { connector } = await make({ name: 'Keyed', idempotencyKey });
    expect(await problem('createConnector', { name: 'Not keyed', idempotencyKey })).toMatchObject({
      __typename: 'IdempotencyKeyReused',
      path: ['input', 'idempotencyKey'],
    });
    expect(await count('Not keyed')).toBe(0);
    expect(await change('disableConnector', { id: connector.id, idempotencyKey })).toMatchObject({
      repeated: false,
    });
    const colleague = service.authorization.token({ subject: 'colleague', scopes });
    for (const token of [colleague, rival]) {
      const made = await change('createConnector', { name: 'Keyed', idempotencyKey }, { token });
      expect([made.repeated, made.connector.id === connector.id]).toEqual([false, false]);
    }
  });

  test('A change that was rejected leaves the key unused.', async () => {
    const { connector } = await make();
    const idempotencyKey = uuidv7();
    const input = { id: connector.id, name: 'Later', idempotencyKey };
    await problem('updateConnector', { ...input, version: 7 });
    expect(await change('updateConnector', { ...input, version: 1 })).toMatchObject({ repeated: false });
  });

  test('Neither the key nor the token is stored in plain form.', async () => {
    const idempotencyKey = `key-${uuidv7()}`;
    const { token } = await make({ idempotencyKey });
    const { rows } = await service.database.sql.query(
      `SELECT to_jsonb(k)::text || coalesce((SELECT string_agg(to_jsonb(l)::text, '') FROM provisioning.connector_log l), '') AS kept
         FROM provisioning.idempotency_keys k`,
    );
    expect(JSON.stringify(rows)).not.toContain(idempotencyKey);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});
