import { expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { publicOrigin } from '../support/authorization-server.ts';
import {
  authorization,
  describeProcesses,
  directory,
  enterprise,
  graph,
  groupSchema,
  provisioning,
  restartDirectory,
  setUpTwoProcesses,
  source,
  userSchema,
} from '../support/two-processes.ts';

describeProcesses('provisioning and directory as processes', () => {
  setUpTwoProcesses();

  test('A user is created, read, found, replaced, patched and deleted.', async () => {
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

    await isShownAndDeleted(hr, `/Users/${id}`);
  });

  async function isShownAndDeleted(hr: Awaited<ReturnType<typeof source>>, path: string): Promise<void> {
    const patched = await hr.patch(path, { op: 'add', path: 'title', value: 'Countess' });
    expect(patched.body.title).toBe('Countess');
    const brief = await hr.call('GET', `${path}?attributes=title`);
    expect(Object.keys(brief.body).sort()).toEqual(['id', 'schemas', 'title']);
    const without = await hr.call('GET', `${path}?excludedAttributes=meta.location,title`);
    expect(without.body.title).toBeUndefined();
    expect(without.body.meta).toEqual(expect.not.objectContaining({ location: expect.anything() }));

    expect((await hr.call('DELETE', path)).status).toBe(204);
    expect((await hr.call('GET', path)).status).toBe(404);
    expect((await hr.call('DELETE', path)).status).toBe(404);
  }

  test('A change of only the password changes nothing else, and the password is activated.', async () => {
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

  test('The root search finds users and groups.', async () => {
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

  test('Another tenant sees none of it, and gets the responses for missing resources.', async () => {
    const hr = await source('AUTO');
    const { id } = await hr.create({});
    const rival = authorization.token({
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

  test('The graph receives a provisioned user through the events.', async () => {
    const hr = await source('AUTO');
    const { id } = await hr.create({ externalId: 'hr-9' });
    const read = async () =>
      (
        await graph(
          `query ($r: [_Any!]!) { _entities(representations: $r) { ... on User { provisioning { source { id: sourceId name } externalId lastChangedAt } } } }`,
          { r: [{ __typename: 'User', id }] },
        )
      ).data._entities[0].provisioning;
    for (let i = 0; i < 400 && (await read()).length === 0; i += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await read()).toEqual([
      { source: { id: hr.id, name: 'AUTO' }, externalId: 'hr-9', lastChangedAt: expect.any(String) },
    ]);
  });

  test('Without the directory the service returns 503 and keeps running, and works again when the directory is available.', async () => {
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
    await restartDirectory();
    expect((await hr.call('GET', '/Users?count=1')).status).toBe(200);
  });
});
