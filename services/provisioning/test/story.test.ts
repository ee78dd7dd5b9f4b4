import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@ostiary/database/testing';
import { HttpPeer, uuidv7 } from '@ostiary/service';
import { type AuthorizationServer, publicOrigin, startAuthorizationServer } from './authorization-server.ts';
import { buildOf, freePort, type RunningProcess, runScript, startProcess } from './running-process.ts';
import { redisUrl } from './service.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

const built = existsSync(buildOf('directory', 'main.js')) && existsSync(buildOf('provisioning', 'main.js'));

/** The two processes as they are deployed, side by side; only the authorization server is a stand-in. */
(built ? describe : describe.skip)('provisioning and directory as processes', () => {
  let authorization: AuthorizationServer;
  let scratch: TestDatabase;
  let directory: RunningProcess;
  let provisioning: RunningProcess;
  let directoryEnv: Record<string, string>;
  let admin: string;

  beforeAll(async () => {
    authorization = await startAuthorizationServer();
    scratch = await createTestDatabase();
    const provisioningPort = await freePort();
    const common = {
      DATABASE_URL: scratch.url,
      REDIS_URL: redisUrl,
      REDIS_PREFIX: `test-${uuidv7()}`,
      AUTH_URL: authorization.url,
      PUBLIC_ORIGIN: publicOrigin,
      SERVICE_CLIENT_SECRET: 'a secret for the tests',
      HOST: '127.0.0.1',
    };
    await runScript(buildOf('directory', 'migrate.js'), common);
    await runScript(buildOf('provisioning', 'migrate.js'), common);
    directoryEnv = { ...common, PROVISIONING_URL: `http://127.0.0.1:${provisioningPort}` };
    directory = await startProcess(buildOf('directory', 'main.js'), directoryEnv);
    provisioning = await startProcess(
      buildOf('provisioning', 'main.js'),
      {
        ...common,
        DIRECTORY_URL: directory.url,
        TOKEN_KEY: randomBytes(32).toString('base64url'),
      },
      provisioningPort,
    );
    const peer = new HttpPeer({
      name: 'directory',
      origin: directory.url,
      token: () => authorization.serviceToken('operator', 'directory'),
    });
    for (const id of ['demo', 'rival']) {
      const answer = await peer.request({
        method: 'POST',
        path: '/internal/v1/tenants',
        body: { id, name: id, actor: { kind: 'system', id: 'test' } },
      });
      if (answer.status !== 201) throw new Error(`tenant not made: ${answer.status}`);
    }
    await peer.close();
    admin = await authorization.token({
      subject: 'admin',
      scopes: ['connectors:write', 'connectors:read', 'provisioning:read', 'users:read'],
    });
  }, 60_000);
  afterAll(async () => {
    const codes = [await provisioning?.stop(), await directory?.stop()];
    await authorization?.close();
    await scratch?.drop();
    expect(codes).toEqual([0, 0]);
  }, 60_000);

  const graph = async (query: string, variables: object, token = admin) => {
    const response = await fetch(`${provisioning.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
    return (await response.json()) as any;
  };

  async function source(profile: string) {
    const answer = await graph(
      `mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { token connector { id } } }`,
      { input: { name: profile, profile } },
    );
    const { token, connector } = answer.data.createConnector;
    const call = async (
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ) => {
      const response = await fetch(`${provisioning.url}/t/demo/scim/v2${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { 'content-type': 'application/scim+json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
        body: (text === '' ? undefined : JSON.parse(text)) as any,
      };
    };
    return {
      id: connector.id as string,
      token: token as string,
      call,
      patch: (path: string, ...Operations: unknown[]) =>
        call('PATCH', path, { schemas: [patchOp], Operations }),
      create: async (resource: object) => {
        const userName = `user-${uuidv7()}`;
        const answer = await call('POST', '/Users', { schemas: [userSchema], userName, ...resource });
        expect(answer.status).toBe(201);
        return answer.body;
      },
    };
  }

  test('a user is created, read, found, replaced, patched and deleted', async () => {
    const hr = await source('AUTO');
    const created = await hr.call('POST', '/Users', {
      schemas: [userSchema, enterprise],
      id: 'forged',
      userName: 'Ada@example.com',
      externalId: 'hr-1',
      emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
      password: 'correct horse battery',
      [enterprise]: { employeeNumber: '7' },
    });
    expect(created.status).toBe(201);
    const { id } = created.body;
    expect(created.headers.get('location')).toBe(`${publicOrigin}/t/demo/scim/v2/Users/${id}`);
    expect(created.headers.get('etag')).toBe(created.body.meta.version);
    expect(JSON.stringify(created.body)).not.toContain('correct horse');
    expect(authorization.staged).toContainEqual(expect.objectContaining({ subject: id, activated: true }));

    const read = await hr.call('GET', `/Users/${id}`);
    expect(read.body).toEqual(created.body);
    const etag = String(read.headers.get('etag'));
    expect((await hr.call('GET', `/Users/${id}`, undefined, { 'if-none-match': etag })).status).toBe(304);

    const found = await hr.call(
      'GET',
      `/Users?filter=${encodeURIComponent('userName eq "ada@EXAMPLE.com"')}`,
    );
    expect(found.body).toMatchObject({
      totalResults: 1,
      itemsPerPage: 1,
      Resources: [{ id, externalId: 'hr-1' }],
    });
    const missed = await hr.call('GET', `/Users?filter=${encodeURIComponent('userName eq "nobody"')}`);
    expect(missed.body).toMatchObject({ totalResults: 0, Resources: [] });

    const duplicate = await hr.call('POST', '/Users', { schemas: [userSchema], userName: 'ADA@EXAMPLE.COM' });
    expect([duplicate.status, duplicate.body.scimType]).toEqual([409, 'uniqueness']);

    const replaced = await hr.call(
      'PUT',
      `/Users/${id}`,
      { schemas: [userSchema], userName: 'ada@example.com' },
      { 'if-match': etag },
    );
    expect(replaced.status).toBe(200);
    expect(replaced.body.emails).toBeUndefined();
    const late = await hr.call(
      'PUT',
      `/Users/${id}`,
      { schemas: [userSchema], userName: 'ada@example.com' },
      { 'if-match': etag },
    );
    expect(late.status).toBe(412);

    expect((await hr.patch(`/Users/${id}`, { op: 'add', path: 'title', value: 'Countess' })).body.title).toBe(
      'Countess',
    );
    const brief = await hr.call('GET', `/Users/${id}?attributes=title`);
    expect(Object.keys(brief.body).sort()).toEqual(['id', 'schemas', 'title']);
    const without = await hr.call('GET', `/Users/${id}?excludedAttributes=meta.location,title`);
    expect(without.body.title).toBeUndefined();
    expect(without.body.meta).toEqual(expect.not.objectContaining({ location: expect.anything() }));

    expect((await hr.call('DELETE', `/Users/${id}`)).status).toBe(204);
    expect((await hr.call('GET', `/Users/${id}`)).status).toBe(404);
    expect((await hr.call('DELETE', `/Users/${id}`)).status).toBe(404);
  });

  test('only a password changes: nothing else does, and it is activated', async () => {
    const hr = await source('AUTO');
    const { id } = await hr.create({});
    const answer = await hr.patch(`/Users/${id}`, {
      op: 'replace',
      path: 'password',
      value: 'another horse',
    });
    expect(answer.status).toBe(200);
    expect(authorization.staged).toContainEqual(
      expect.objectContaining({ subject: id, password: 'another horse', activated: true }),
    );
  });

  describe.each(['AUTO', 'ENTRA', 'OKTA', 'ONELOGIN'])('a departure with profile %s', (profile) => {
    test.each([
      ['Entra ID', { op: 'Replace', path: 'active', value: 'False' }],
      ['Okta', { op: 'replace', value: { active: false } }],
      ['the RFC', { op: 'replace', path: 'active', value: false }],
    ])('in the shape of %s', async (_client, operation) => {
      const from = await source(profile);
      const { id } = await from.create({ active: true });
      const answer = await from.patch(`/Users/${id}`, operation);
      expect(answer.status).toBe(200);
      expect(answer.body.active).toBe(false);
      expect((await from.call('GET', `/Users/${id}`)).body.active).toBe(false);
    });
  });

  test('what Entra ID sends', async () => {
    const entra = await source('ENTRA');
    const manager = await entra.create({});
    const { id } = await entra.create({
      schemas: [enterprise, userSchema],
      active: 'True',
      emails: [{ primary: 'True', type: 'work', value: 'ada@example.com' }],
    });
    const answer = await entra.patch(
      `/Users/${id}`,
      {
        op: 'Replace',
        value: { displayName: 'Ada', 'name.givenName': 'Ada', [`${enterprise}:employeeNumber`]: '42' },
      },
      { op: 'Add', path: `${enterprise}:manager`, value: manager.id },
      { op: 'Replace', path: 'emails[primary eq "True"].value', value: 'lovelace@example.com' },
      { op: 'Replace', path: 'phoneNumbers[type eq "mobile"].value', value: '+1 555' },
      { op: 'Add', path: 'addresses[type eq "work"].locality', value: 'London' },
    );
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      displayName: 'Ada',
      active: true,
      name: { givenName: 'Ada' },
      emails: [{ value: 'lovelace@example.com', type: 'work', primary: true }],
      phoneNumbers: [{ type: 'mobile', value: '+1 555' }],
      addresses: [{ type: 'work', locality: 'London' }],
      [enterprise]: {
        employeeNumber: '42',
        manager: { value: manager.id, $ref: `${publicOrigin}/t/demo/scim/v2/Users/${manager.id}` },
      },
    });
    const orphan = await entra.patch(`/Users/${id}`, {
      op: 'Replace',
      path: `${enterprise}:manager`,
      value: '',
    });
    expect(orphan.body[enterprise]).toEqual({ employeeNumber: '42' });

    const group = await entra.call('POST', '/Groups', {
      schemas: [groupSchema, 'http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group'],
      displayName: 'Engineering',
      externalId: 'e-1',
    });
    expect(group.status).toBe(201);
    const path = `/Groups/${group.body.id}`;
    const members = async () =>
      ((await entra.call('GET', path)).body.members ?? []).map((m: { value: string }) => m.value);
    const added = await entra.patch(path, {
      op: 'Add',
      path: 'members',
      value: [
        { $ref: null, value: id },
        { $ref: null, value: manager.id },
      ],
    });
    expect(added.status).toBe(204);
    expect(added.headers.get('etag')).toMatch(/^W\//);
    expect(new Set(await members())).toEqual(new Set([id, manager.id]));
    const removed = await entra.patch(path, {
      op: 'Remove',
      path: 'members',
      value: [{ $ref: null, value: id }],
    });
    expect(removed.status).toBe(204);
    expect(await members()).toEqual([manager.id]);
    const slim = await entra.call('GET', `${path}?excludedAttributes=members`);
    expect(slim.body.displayName).toBe('Engineering');
    expect(slim.body.members).toBeUndefined();
  });

  test('what Okta sends', async () => {
    const okta = await source('OKTA');
    const listed = await okta.call(
      'GET',
      `/Users?filter=${encodeURIComponent('userName eq "a@b.c"')}&startIndex=1&count=100`,
    );
    expect(listed.body.totalResults).toBe(0);
    const { id, userName } = await okta.create({
      groups: [],
      password: 'generated by okta',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      emails: [{ primary: true, value: 'a@b.c', type: 'work' }],
    });
    const put = await okta.call('PUT', `/Users/${id}`, {
      schemas: [userSchema],
      id,
      userName,
      name: { givenName: 'Augusta', familyName: 'King' },
      active: true,
      groups: [],
      meta: { resourceType: 'User' },
    });
    expect(put.status).toBe(200);
    expect(put.body.name.givenName).toBe('Augusta');
    const group = await okta.call('POST', '/Groups', {
      schemas: [groupSchema],
      displayName: 'Everyone',
      members: [{ value: id, display: userName }],
    });
    const path = `/Groups/${group.body.id}`;
    const renamed = await okta.patch(path, {
      op: 'replace',
      value: { id: group.body.id, displayName: 'All' },
    });
    expect(renamed.status).toBe(200);
    expect(renamed.body).toMatchObject({
      displayName: 'All',
      members: [{ value: id, $ref: expect.stringContaining(`/Users/${id}`) }],
    });
    const emptied = await okta.patch(path, { op: 'replace', path: 'members', value: [] });
    expect(emptied.status).toBe(200);
    expect((await okta.call('GET', path)).body.members ?? []).toEqual([]);
  });

  test('what OneLogin sends', async () => {
    const onelogin = await source('ONELOGIN');
    const [stays, goes] = [await onelogin.create({}), await onelogin.create({})];
    const group = await onelogin.call('POST', '/Groups', {
      schemas: [groupSchema],
      displayName: 'Sales',
      members: [{ value: stays.id }, { value: goes.id }],
    });
    const path = `/Groups/${group.body.id}`;
    const answer = await onelogin.patch(path, { op: 'remove', path: 'members', value: [{ value: goes.id }] });
    expect(answer.status).toBe(200);
    expect(answer.body.members.map(({ value }: { value: string }) => value)).toEqual([stays.id]);
  });

  test('to the letter of the RFC, other shapes are refused and nothing happens', async () => {
    const strict = await source('RFC');
    const { id } = await strict.create({ active: true });
    const group = await strict.call('POST', '/Groups', {
      schemas: [groupSchema],
      displayName: 'G',
      members: [{ value: id }],
    });
    const refused: [string, object, string][] = [
      [`/Users/${id}`, { op: 'replace', path: 'active', value: 'False' }, 'invalidValue'],
      [`/Users/${id}`, { op: 'replace', path: 'emails[type eq "work"].value', value: 'x' }, 'noTarget'],
      [`/Users/${id}`, { op: 'replace', path: 'nonsense', value: 'x' }, 'invalidPath'],
      [`/Users/${id}`, { op: 'replace', path: 'id', value: 'x' }, 'mutability'],
      [`/Users/${id}`, { op: 'remove', path: 'userName' }, 'invalidValue'],
      [`/Groups/${group.body.id}`, { op: 'remove', path: 'members', value: [{ value: id }] }, 'invalidValue'],
      [
        `/Groups/${group.body.id}`,
        { op: 'add', path: 'members', value: [{ value: uuidv7() }] },
        'invalidValue',
      ],
    ];
    for (const [path, operation, scimType] of refused) {
      const answer = await strict.patch(path, operation);
      expect([answer.status, answer.body.scimType]).toEqual([400, scimType]);
    }
    expect((await strict.call('GET', `/Users/${id}`)).body.active).toBe(true);
    expect((await strict.call('GET', `/Groups/${group.body.id}`)).body.members).toHaveLength(1);
    const capitalised = await strict.patch(`/Users/${id}`, { op: 'REPLACE', path: 'active', value: false });
    expect(capitalised.status).toBe(400);
  });

  test('the root search finds users and groups', async () => {
    const hr = await source('AUTO');
    const marker = uuidv7();
    await hr.create({ displayName: marker });
    await hr.call('POST', '/Groups', { schemas: [groupSchema], displayName: marker });
    const search = (filter: string) =>
      hr.call('POST', '/.search', {
        schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'],
        filter,
        attributes: ['displayName'],
      });
    const both = await search(`displayName eq "${marker}"`);
    expect(both.body).toMatchObject({ totalResults: 2, itemsPerPage: 2 });
    expect((await search(`displayName eq "${marker}" and userName pr`)).body.totalResults).toBe(1);
    expect((await search('nonsense eq 1')).body).toMatchObject({ status: '400', scimType: 'invalidFilter' });
  });

  test('another tenant sees nothing of it, with the same words as for what exists nowhere', async () => {
    const hr = await source('AUTO');
    const { id } = await hr.create({});
    const rival = await authorization.token({
      tenant: 'rival',
      subject: 'app',
      scopes: ['scim:read', 'scim:write'],
    });
    const ask = (method: string, user: string) =>
      fetch(`${provisioning.url}/t/rival/scim/v2/Users/${user}`, {
        method,
        headers: { authorization: `Bearer ${rival}` },
      });
    for (const method of ['GET', 'DELETE']) {
      const [foreign, nowhere] = await Promise.all([ask(method, id), ask(method, uuidv7())]);
      expect(foreign.status).toBe(404);
      expect(await foreign.text()).toBe(await nowhere.text());
    }
    const demo = await fetch(`${provisioning.url}/t/demo/scim/v2/Users/${id}`, {
      headers: { authorization: `Bearer ${rival}` },
    });
    expect(demo.status).toBe(401);
    expect((await hr.call('GET', `/Users/${id}`)).status).toBe(200);
  });

  test('the graph learns of it through the events', async () => {
    const hr = await source('AUTO');
    const { id } = await hr.create({ externalId: 'hr-9' });
    const read = async () =>
      (
        await graph(
          `query ($r: [_Any!]!) { _entities(representations: $r) { ... on User { provisioning { source { id name } externalId lastChangedAt } } } }`,
          { r: [{ __typename: 'User', id }] },
        )
      ).data._entities[0].provisioning;
    for (let i = 0; i < 100 && (await read()).length === 0; i += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await read()).toEqual([
      { source: { id: hr.id, name: 'AUTO' }, externalId: 'hr-9', lastChangedAt: expect.any(String) },
    ]);
  });

  test('without the directory it says 503 and stays up; with it again it works again', async () => {
    const hr = await source('AUTO');
    expect(await directory.stop()).toBe(0);
    const answer = await hr.call('GET', '/Users?count=1');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '503',
    });
    expect((await fetch(`${provisioning.url}/readyz`)).status).toBe(200);
    directory = await startProcess(buildOf('directory', 'main.js'), directoryEnv, directory.port);
    expect((await hr.call('GET', '/Users?count=1')).status).toBe(200);
  }, 60_000);
});
