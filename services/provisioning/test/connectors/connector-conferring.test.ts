import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { type RecordingDirectory, startRecordingDirectory } from '../support/recording-directory.ts';
import { managingConnectors, type RunningService, startService } from '../support/service.ts';

let directory: RecordingDirectory;
let service: RunningService;
beforeAll(async () => {
  directory = await startRecordingDirectory();
  service = await startService({ directoryUrl: directory.url });
});
afterEach(() => directory.clear());
afterAll(async () => {
  await service?.close();
  await directory?.close();
});

const alice = uuidv7();
const app = (...scopes: string[]) => service.authorization.token({ subject: 'app', scopes });
const admin = () => app(...managingConnectors);
/**
 * Returns the token of a user with all scopes, who signed in this number of seconds ago; undefined without a sign-in.
 */
const person = (ago: number | undefined) =>
  service.authorization.token({
    subject: alice,
    client: 'web',
    scopes: managingConnectors,
    ...(ago === undefined ? {} : { authTime: Math.floor(Date.now() / 1000) - ago }),
  });

const inputTypes: Record<string, string> = {
  enableConnector: 'ConnectorInput',
  disableConnector: 'ConnectorInput',
};
async function ask(name: string, input: object, token: string) {
  const type = inputTypes[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const shown = /^(create|rotate)/.test(name) ? 'token' : '';
  const { body } = await service.graph(
    `mutation ($input: ${type}!) { ${name}(input: $input) { ${shown} connector { id access status } } }`,
    { token, variables: { input } },
  );
  return {
    code: body.errors?.[0].extensions.code,
    scopes: body.errors?.[0].extensions.scopes,
    ...body.data?.[name],
  };
}
async function connector(fields: object = {}): Promise<{ id: string; token: string }> {
  const made = await ask('createConnector', { name: 'HR', ...fields }, admin());
  return { id: made.connector.id, token: made.token };
}
const accessOf = async (id: string) =>
  (
    await service.graph(
      `{ connector(id: "${id}") { access protectedAccounts { administrators userIds } status } }`,
      { token: admin() },
    )
  ).body.data.connector;

describe('Clients that may only manage connectors', () => {
  const poor = () => app('connectors:read', 'connectors:write');

  test('A client with connectors:write alone cannot create a connector of any kind.', async () => {
    expect(await ask('createConnector', { name: 'Mine' }, poor())).toMatchObject({
      code: 'FORBIDDEN',
      scopes: ['scim:read'],
    });
    expect(
      await ask('createConnector', { name: 'Mine', access: 'READ_ONLY', resourceTypes: ['USER'] }, poor()),
    ).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('A client with connectors:write alone gets no token of a connector, by rotation or otherwise.', async () => {
    const { id, token } = await connector();
    expect(await ask('rotateConnectorToken', { id }, poor())).toMatchObject({ code: 'FORBIDDEN' });
    expect((await service.scim('GET', '/Users', { token })).status).toBe(200);
  });

  test('A client with connectors:write alone cannot extend the rights of a connector.', async () => {
    const { id } = await connector({ access: 'READ_ONLY', protectedAccounts: { administrators: true } });
    expect(await ask('updateConnector', { id, access: 'READ_WRITE' }, poor())).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await ask('updateConnector', { id, access: null }, poor())).toMatchObject({ code: 'FORBIDDEN' });
    expect(await ask('updateConnector', { id, protectedAccounts: null }, poor())).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await ask('updateConnector', { id, clientId: 'app' }, poor())).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await ask('disableConnector', { id }, poor())).toMatchObject({
      connector: { status: 'DISABLED' },
    });
    expect(await ask('enableConnector', { id }, poor())).toMatchObject({ code: 'FORBIDDEN' });
    expect(await accessOf(id)).toEqual({
      access: 'READ_ONLY',
      protectedAccounts: { administrators: true, userIds: [] },
      status: 'DISABLED',
    });
  });

  test('A client with connectors:write alone can restrict and rename a connector.', async () => {
    const { id } = await connector();
    for (const input of [
      { name: 'Payroll' },
      { access: 'READ_ONLY' },
      { resourceTypes: ['USER'] },
      { protectedAccounts: { administrators: true } },
      { attributes: { mode: 'ONLY', paths: ['userName'] } },
    ]) {
      expect(await ask('updateConnector', { id, ...input }, poor())).toMatchObject({ connector: { id } });
    }
    expect(await ask('updateConnector', { id, attributes: null }, poor())).toMatchObject({
      code: 'FORBIDDEN',
    });
    expect(await ask('updateConnector', { id, resourceTypes: null }, poor())).toMatchObject({
      code: 'FORBIDDEN',
    });
  });
});

describe('Clients with some of the scopes', () => {
  test('A client with some of the scopes creates connectors within those scopes.', async () => {
    const reader = app('connectors:write', 'scim:read', 'users:read');
    const readOnly = { name: 'Reader', access: 'READ_ONLY', resourceTypes: ['USER'] };
    expect(await ask('createConnector', readOnly, reader)).toMatchObject({
      connector: { access: 'READ_ONLY' },
    });
    expect(await ask('createConnector', { ...readOnly, resourceTypes: ['GROUP'] }, reader)).toMatchObject({
      code: 'FORBIDDEN',
      scopes: ['groups:read'],
    });
    expect(await ask('createConnector', { ...readOnly, access: 'READ_WRITE' }, reader)).toMatchObject({
      code: 'FORBIDDEN',
      scopes: ['scim:write'],
    });
  });

  test("Of two concurrent changes, none that would extend the connector's state after the other succeeds.", async () => {
    const reader = app('connectors:write', 'scim:read', 'users:read');
    for (let round = 0; round < 5; round += 1) {
      const { id } = await connector({ resourceTypes: ['USER'] });
      // A change that reads the state before the other is committed has no effect.
      const [, ...again] = await Promise.all([
        ask('updateConnector', { id, access: 'READ_ONLY' }, admin()),
        ...[1, 2, 3].map(() => ask('updateConnector', { id, access: 'READ_WRITE' }, reader)),
      ]);
      expect(
        again.every(({ code, connector: shown }) => code === 'FORBIDDEN' || shown.access === 'READ_WRITE'),
      ).toBe(true);
      expect(await accessOf(id)).toMatchObject({ access: 'READ_ONLY' });
    }
  });
});

describe('Groups that identity sources may manage', () => {
  const given = () => {
    directory.state.respond = async ({ path }) =>
      path.endsWith('/managed-privileges')
        ? { status: 200, body: { scopes: ['roles:write', 'sessions:read'] } }
        : undefined;
  };

  test('Every connector that adds to groups which sources may manage requires the scopes of their roles.', async () => {
    given();
    expect(await ask('createConnector', { name: 'HR' }, admin())).toMatchObject({
      code: 'FORBIDDEN',
      scopes: ['roles:write'],
    });
    const strong = app(...managingConnectors, 'roles:write', 'sessions:read');
    const { connector: made } = await ask('createConnector', { name: 'HR' }, strong);
    expect(await ask('rotateConnectorToken', { id: made.id }, admin())).toMatchObject({ code: 'FORBIDDEN' });
    for (const harmless of [
      { resourceTypes: ['USER'] },
      { access: 'READ_ONLY' },
      { protectedAccounts: { administrators: true } },
    ]) {
      expect(await ask('createConnector', { name: 'HR', ...harmless }, admin())).toMatchObject({
        connector: { status: 'ACTIVE' },
      });
    }
  });

  test('While the directory does not report the rights of these groups, no connector is created.', async () => {
    directory.state.respond = async () => ({ status: 503 });
    expect(await ask('createConnector', { name: 'HR' }, admin())).toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
    });
  });
});

describe('Users who manage connectors', () => {
  test('A user must have signed in recently for every change that extends access, and for no other change.', async () => {
    const { id } = await connector({ access: 'READ_ONLY' });
    for (const token of [person(1000), person(undefined)]) {
      const insufficient = { code: 'INSUFFICIENT_USER_AUTHENTICATION' };
      expect(await ask('createConnector', { name: 'HR' }, token)).toMatchObject(insufficient);
      expect(await ask('rotateConnectorToken', { id }, token)).toMatchObject(insufficient);
      expect(await ask('updateConnector', { id, access: 'READ_WRITE' }, token)).toMatchObject(insufficient);
      expect(await ask('enableConnector', { id }, token)).toMatchObject(insufficient);
      expect(await ask('updateConnector', { id, name: 'Payroll' }, token)).toMatchObject({
        connector: { id },
      });
      expect(await ask('disableConnector', { id }, token)).toMatchObject({ connector: { id } });
    }
    service.authorization.ownership.owner({ id: alice });
    expect(await ask('rotateConnectorToken', { id }, person(10))).toMatchObject({ connector: { id } });
  });
});

test('A connector of another tenant is treated like one that does not exist.', async () => {
  const { id } = await connector();
  const rival = service.authorization.token({ tenant: 'rival', subject: 'app', scopes: managingConnectors });
  for (const name of ['rotateConnectorToken', 'enableConnector', 'updateConnector'])
    expect(await ask(name, { id }, rival)).toMatchObject({ code: 'NOT_FOUND' });
});
