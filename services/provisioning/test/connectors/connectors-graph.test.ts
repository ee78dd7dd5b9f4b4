import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { quirkNames } from '../../src/compatibility/domain/profiles.ts';
import { quirkConstant } from '../../src/connectors/graph/connector-input.ts';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { managingConnectors, type RunningService, startService } from '../support/service.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const tokenKey = randomBytes(32);

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
  const scopes = managingConnectors;
  admin = service.authorization.token({ subject: 'admin', scopes });
  rival = service.authorization.token({ tenant: 'rival', subject: 'admin', scopes });
});
afterAll(async () => {
  await other?.close();
  await service?.close();
  await directory?.close();
});

const fields = `id name profile clientId status access resourceTypes attributes { mode paths }
  protectedAccounts { userIds groupIds administrators }
  limits { pageSize bulkOperations bulkPayloadBytes requestsPerMinute }
  quirks { quirk enabled overridden } tokens { id }`;

async function mutate(name: string, input: object, token = admin, selection = `connector { ${fields} }`) {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`.replace(
    /^(?:Disable|Enable|Delete)ConnectorInput$/,
    'ConnectorInput',
  );
  const { body } = await service.graph(
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`,
    {
      token,
      variables: { input },
    },
  );
  return {
    data: body.data?.[name],
    codes: body.errors?.map((error: { extensions: { code: string } }) => error.extensions.code),
    errors: body.errors,
  };
}
const status = async (token: string, at = service) => (await at.scim('GET', '/Users', { token })).status;

const everything = {
  access: 'READ_ONLY',
  resourceTypes: ['USER'],
  attributes: { mode: 'ONLY', paths: ['userName', 'name.familyName', `${enterprise}:department`] },
  protectedAccounts: { userIds: [uuidv7()], groupIds: [uuidv7()], administrators: true },
  limits: { pageSize: 5, bulkOperations: 6, bulkPayloadBytes: 7000, requestsPerMinute: 80 },
};

describe('createConnector', () => {
  test('Without further input, a connector has all rights of its profile.', async () => {
    const { data, errors } = await mutate('createConnector', { name: 'Plain' });
    expect(errors).toBeUndefined();
    expect(data.connector).toMatchObject({
      access: 'READ_WRITE',
      resourceTypes: ['USER', 'GROUP'],
      attributes: null,
      protectedAccounts: { userIds: [], groupIds: [], administrators: false },
      limits: { pageSize: null, bulkOperations: null, bulkPayloadBytes: null, requestsPerMinute: null },
    });
    expect(data.connector.quirks).toHaveLength(quirkNames.length);
    expect(data.connector.quirks.some(({ overridden }: { overridden: boolean }) => overridden)).toBe(false);
  });

  test('createConnector accepts limits, rules, protected accounts and quirks, which apply immediately.', async () => {
    const { data } = await mutate(
      'createConnector',
      {
        name: 'Bound',
        profile: 'ENTRA',
        ...everything,
        quirks: [{ quirk: 'GROUP_PATCH_NO_CONTENT', enabled: false }],
      },
      admin,
      `token connector { ${fields} }`,
    );
    expect(data.connector).toMatchObject(everything);
    expect(data.connector.quirks).toContainEqual({
      quirk: 'GROUP_PATCH_NO_CONTENT',
      enabled: false,
      overridden: true,
    });
    expect(data.connector.quirks).toContainEqual({
      quirk: 'REMOVE_BY_VALUE',
      enabled: true,
      overridden: false,
    });
    const config = await service.scim('GET', '/ServiceProviderConfig', { token: data.token });
    expect(config.body).toMatchObject({
      filter: { maxResults: 5 },
      bulk: { maxOperations: 6, maxPayloadSize: 7000 },
    });
    expect(config.headers.get('ratelimit-policy')).toBe('"scim";q=80;w=60');
    expect((await service.scim('POST', '/Users', { token: data.token, body: {} })).status).toBe(403);
    expect((await service.scim('GET', '/Groups', { token: data.token })).status).toBe(403);
  });

  test('The input of createConnector has a distinct name for every quirk.', () => {
    expect(quirkNames.map(quirkConstant)).toContain('BARE_MANAGER');
    expect(new Set(quirkNames.map(quirkConstant)).size).toBe(quirkNames.length);
  });

  test.each([
    { limits: { pageSize: 0 } },
    { limits: { requestsPerMinute: -1 } },
    { resourceTypes: [] },
    { attributes: { mode: 'ONLY', paths: ['noSuchAttribute'] } },
    { attributes: { mode: 'ONLY', paths: ['emails.value'] } },
    { attributes: { mode: 'ONLY', paths: ['emails[type eq "work"]'] } },
    { attributes: { mode: 'EXCEPT', paths: ['externalId'] } },
    { attributes: { mode: 'EXCEPT', paths: ['id'] } },
    { attributes: { mode: 'EXCEPT', paths: ['groups'] } },
    { attributes: { mode: 'EXCEPT', paths: ['__proto__'] } },
    { attributes: { mode: 'EXCEPT', paths: ['urn:example:unknown:attribute'] } },
    { attributes: { mode: 'ONLY', paths: Array.from({ length: 201 }, (_, n) => `a${n}`) } },
    { protectedAccounts: { groupIds: Array.from({ length: 501 }, () => uuidv7()) } },
    {
      quirks: [
        { quirk: 'PATH_KEYS', enabled: true },
        { quirk: 'PATH_KEYS', enabled: false },
      ],
    },
  ])('createConnector rejects %j.', async (input) => {
    const { codes } = await mutate('createConnector', { name: 'Bad', ...input });
    expect(codes).toEqual(['BAD_USER_INPUT']);
  });
});

describe('updateConnector', () => {
  const make = async (input: object = {}) =>
    (await mutate('createConnector', { name: 'Changing', ...input }, admin, `token connector { ${fields} }`))
      .data;

  test('updateConnector changes the given fields, keeps the others, and clears those set to null.', async () => {
    const { connector } = await make(everything);
    const renamed = await mutate('updateConnector', { id: connector.id, name: 'Renamed', profile: 'OKTA' });
    expect(renamed.data.connector).toMatchObject({ ...everything, name: 'Renamed', profile: 'OKTA' });
    const widened = await mutate('updateConnector', {
      id: connector.id,
      access: 'READ_WRITE',
      attributes: null,
    });
    const { access: _, ...rest } = everything;
    expect(widened.data.connector).toMatchObject({ ...rest, access: 'READ_WRITE', attributes: null });
    const reset = await mutate('updateConnector', {
      id: connector.id,
      resourceTypes: null,
      protectedAccounts: null,
      limits: null,
      quirks: null,
      profile: null,
    });
    expect(reset.data.connector).toMatchObject({
      name: 'Renamed',
      profile: 'AUTO',
      resourceTypes: ['USER', 'GROUP'],
      protectedAccounts: { userIds: [], groupIds: [], administrators: false },
      limits: { pageSize: null },
    });
  });

  test('updateConnector takes effect from the next request on, in every process.', async () => {
    const { token, connector } = await make();
    expect((await other.scim('GET', '/Groups', { token })).status).toBe(200);
    await mutate('updateConnector', { id: connector.id, resourceTypes: ['USER'] });
    expect((await other.scim('GET', '/Groups', { token })).status).toBe(403);
    await mutate('updateConnector', { id: connector.id, limits: { requestsPerMinute: 1 } });
    await other.scim('GET', '/Users', { token });
    expect((await other.scim('GET', '/Users', { token })).status).toBe(429);
  });

  test('Concurrent updates of different fields all succeed.', async () => {
    const { connector } = await make();
    await Promise.all([
      mutate('updateConnector', { id: connector.id, access: 'READ_ONLY' }),
      mutate('updateConnector', { id: connector.id, resourceTypes: ['GROUP'] }),
      mutate('updateConnector', { id: connector.id, name: 'Both' }),
    ]);
    const answer = await service.graph(`{ connector(id: "${connector.id}") { ${fields} } }`, {
      token: admin,
    });
    expect(answer.body.data.connector).toMatchObject({
      name: 'Both',
      access: 'READ_ONLY',
      resourceTypes: ['GROUP'],
    });
  });

  test('updateConnector rejects a client that another connector uses.', async () => {
    await make({ clientId: 'spoken-for' });
    const { connector } = await make();
    expect((await mutate('updateConnector', { id: connector.id, clientId: 'spoken-for' })).codes).toEqual([
      'CONFLICT',
    ]);
    expect((await mutate('updateConnector', { id: connector.id, name: ' ' })).codes).toEqual([
      'BAD_USER_INPUT',
    ]);
  });
});

describe('Revocation and deletion of connectors', () => {
  test.each(['disableConnector', 'deleteConnector'])(
    'After %s, the tokens of the connector are rejected immediately, in every process.',
    async (name) => {
      const { token, connector } = await service.connector({ clientId: `client-of-${name}` });
      const access = service.authorization.token({
        subject: `client-of-${name}`,
        scopes: ['scim:read', 'scim:write'],
      });
      for (const key of [token, access])
        expect([await status(key), await status(key, other)]).toEqual([200, 200]);
      // Requests are in progress in the other process during the change; those sent after its response are rejected.
      let over = false;
      const late: number[] = [];
      const asking = Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let n = 0; n < 40; n += 1) {
            const began = over;
            const answer = await status(token, other);
            if (began) late.push(answer);
          }
        }),
      );
      const ended = await mutate(
        name,
        { id: connector.id },
        admin,
        name === 'deleteConnector' ? 'id' : 'connector { id }',
      );
      over = true;
      expect(ended.errors).toBeUndefined();
      for (const key of [token, access])
        expect([await status(key), await status(key, other)]).toEqual([401, 401]);
      await asking;
      expect(new Set(late)).toEqual(new Set([401]));
    },
  );

  test('A deleted connector is no longer in the graph, and its client can be used by another connector.', async () => {
    const { connector } = await service.connector({ clientId: 'inherited', name: 'Gone' });
    expect((await mutate('deleteConnector', { id: connector.id }, admin, 'id')).data).toEqual({
      id: connector.id,
    });
    for (const name of ['disableConnector', 'enableConnector', 'updateConnector', 'rotateConnectorToken']) {
      const selection = 'connector { id }';
      expect((await mutate(name, { id: connector.id }, admin, selection)).codes).toEqual(['NOT_FOUND']);
    }
    expect((await mutate('deleteConnector', { id: connector.id }, admin, 'id')).codes).toEqual(['NOT_FOUND']);
    const { body } = await service.graph(
      `{ connector(id: "${connector.id}") { id } connectors(first: 100) { edges { node { id } } } }`,
      { token: admin },
    );
    expect(body.data.connector).toBeNull();
    expect(JSON.stringify(body.data.connectors)).not.toContain(connector.id);
    const access = service.authorization.token({ subject: 'inherited', scopes: ['scim:read'] });
    expect(await status(access)).toBe(401);
    expect((await mutate('createConnector', { name: 'Heir', clientId: 'inherited' })).errors).toBeUndefined();
    expect(await status(access)).toBe(200);
  });

  test('When one token is revoked, the other token remains valid.', async () => {
    const { token: first, connector } = await service.connector();
    const rotated = await mutate(
      'rotateConnectorToken',
      { id: connector.id, overlapSeconds: 60 },
      admin,
      'token',
    );
    const { body } = await service.graph(`{ connector(id: "${connector.id}") { tokens { id } } }`, {
      token: admin,
    });
    const [newest, oldest] = body.data.connector.tokens;
    const revoked = await mutate('revokeConnectorToken', { id: connector.id, tokenId: oldest.id });
    expect(revoked.data.connector.tokens).toEqual([newest]);
    expect([await status(first, other), await status(rotated.data.token, other)]).toEqual([401, 200]);
    for (const input of [
      { id: connector.id, tokenId: oldest.id },
      { id: uuidv7(), tokenId: newest.id },
      { id: connector.id, tokenId: 'x' },
    ]) {
      expect((await mutate('revokeConnectorToken', input)).codes).toEqual(['NOT_FOUND']);
    }
    expect(await status(rotated.data.token)).toBe(200);
  });
});

describe('Connectors of another tenant', () => {
  test('Another tenant can neither see nor change a connector, and gets the answer that it does not exist.', async () => {
    const { token, connector } = await service.connector();
    const [{ id: tokenId }] = (await service.app.connectors.tokensOf('demo', [connector.id])) as unknown as [
      { id: string },
    ];
    for (const [name, input, selection] of [
      ['updateConnector', { name: 'Mine now' }, 'connector { id }'],
      ['deleteConnector', {}, 'id'],
      ['disableConnector', {}, 'connector { id }'],
      ['enableConnector', {}, 'connector { id }'],
      ['rotateConnectorToken', {}, 'token'],
      ['revokeConnectorToken', { tokenId }, 'connector { id }'],
    ] as const) {
      const { codes, data } = await mutate(name, { id: connector.id, ...input }, rival, selection);
      expect({ name, codes, data: data ?? null }).toEqual({ name, codes: ['NOT_FOUND'], data: null });
    }
    expect(await status(token)).toBe(200);
  });

  test('The mutations require connectors:write.', async () => {
    const reader = service.authorization.token({ subject: 'r', scopes: ['connectors:read'] });
    const { connector } = await service.connector();
    for (const [name, selection] of [
      ['updateConnector', 'connector { id }'],
      ['deleteConnector', 'id'],
    ] as const) {
      expect((await mutate(name, { id: connector.id }, reader, selection)).codes).toEqual(['FORBIDDEN']);
    }
    expect(
      (await mutate('revokeConnectorToken', { id: connector.id, tokenId: uuidv7() }, reader)).codes,
    ).toContain('FORBIDDEN');
  });
});
