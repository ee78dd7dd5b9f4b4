import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Harness, startDirectory, type TenantClient, tenantClient } from '../support/harness.ts';

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const core = 'urn:ietf:params:scim:schemas:core:2.0';

let harness: Harness;
let acme: TenantClient;
let counter = 0;

beforeAll(async () => {
  harness = await startDirectory();
  acme = tenantClient(harness, await harness.tenant());
});
afterAll(() => harness.stop());

const only = (...paths: string[]) => ({ writable: { mode: 'only', paths } });
const except = (...paths: string[]) => ({ writable: { mode: 'except', paths } });

const whole = () => ({
  userName: `ruled${++counter}`,
  displayName: 'Ada',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  title: 'Countess',
  emails: [{ value: 'ada@example.com', type: 'work', primary: true }],
  active: true,
  [enterprise]: { employeeNumber: '7', department: 'Engines' },
});
const made = async (): Promise<string> => (await acme.create('Users', whole())).body.id;
const read = async (id: string) => (await acme.read('Users', id)).body;
const patch = (id: string, operation: object, rule: object) => acme.patch('Users', id, [operation], rule);
const refused = { status: 400, body: { scimType: 'mutability' } };

describe('Callers that may write only some attributes', () => {
  const rule = only('userName', 'displayName', `${enterprise}:department`);

  test('A POST ignores the attributes that the caller may not write.', async () => {
    const answer = await acme.create('Users', { ...whole(), active: false }, rule);
    expect(answer).toMatchObject({
      status: 201,
      body: { displayName: 'Ada', active: true, [enterprise]: { department: 'Engines' } },
    });
    expect(answer.body).not.toHaveProperty('title');
    expect(answer.body).not.toHaveProperty('emails');
    expect(answer.body[enterprise]).not.toHaveProperty('employeeNumber');
  });

  test('A POST without a required attribute that the caller may not write is rejected with that reason.', async () => {
    expect(await acme.create('Users', whole(), only('displayName'))).toMatchObject({
      status: 400,
      body: { scimType: 'invalidValue', detail: expect.stringContaining('not writable by this client') },
    });
  });

  test('A PUT neither changes nor clears the attributes that the caller may not write.', async () => {
    const id = await made();
    const before = await read(id);
    const answer = await acme.replace(
      'Users',
      id,
      { userName: `ruled${++counter}`, title: 'Duchess', active: false },
      rule,
    );
    expect(answer.status).toBe(200);
    const after = await read(id);
    const { name, title, emails, active } = before;
    expect(after).toMatchObject({ name, title, emails, active, [enterprise]: { employeeNumber: '7' } });
    expect(after.userName).toBe(`ruled${counter}`);
    expect(after).not.toHaveProperty('displayName');
    expect(after[enterprise]).not.toHaveProperty('department');
  });

  test('A PUT of the current values changes nothing.', async () => {
    const id = await made();
    const { meta, ...before } = await read(id);
    const answer = await acme.replace('Users', id, before, rule);
    expect(answer.body.meta.version).toBe(meta.version);
  });

  test.each([
    { op: 'replace', path: 'title', value: 'Duchess' },
    { op: 'replace', path: 'active', value: false },
    { op: 'replace', value: { active: false } },
    { op: 'add', value: { displayName: 'A', title: 'Duchess' } },
    { op: 'remove', path: 'emails' },
    { op: 'add', path: 'emails[type eq "work"].value', value: 'x@example.com' },
    { op: 'replace', path: 'name.givenName', value: 'Augusta' },
    { op: 'replace', path: `${enterprise}:employeeNumber`, value: '8' },
    { op: 'replace', value: { [enterprise]: { employeeNumber: '8' } } },
    { op: 'replace', path: enterprise, value: { employeeNumber: '8' } },
    { op: 'remove', path: enterprise },
    { op: 'replace', value: { [enterprise]: null } },
    { op: 'replace', value: { [`${enterprise}:employeeNumber`]: '8' } },
    { op: 'replace', path: `${core}:User:title`, value: 'Duchess' },
    { op: 'replace', path: 'TITLE', value: 'Duchess' },
  ])('A PATCH of attributes that the caller may not write is rejected: %j.', async (operation) => {
    const id = await made();
    const before = await read(id);
    expect(await patch(id, operation, rule)).toMatchObject(refused);
    expect(await read(id)).toEqual(before);
  });

  test('A PATCH of attributes that the caller may write succeeds.', async () => {
    const id = await made();
    const value = { displayName: 'Augusta', [enterprise]: { department: 'Looms' } };
    expect(await patch(id, { op: 'replace', value }, rule)).toMatchObject({ status: 200, body: value });
    expect((await read(id))[enterprise].employeeNumber).toBe('7');
  });

  test('The caller may always write an externalId of its own.', async () => {
    const answer = await acme.create('Users', { ...whole(), externalId: 'e1' }, { ...rule, source: 's1' });
    expect(answer.body.externalId).toBe('e1');
  });
});

describe('Callers that may write all attributes except some', () => {
  test('An excepted part of a single value is kept by PUT and rejected in PATCH.', async () => {
    const id = await made();
    const rule = except('name.familyName');
    const { userName } = await read(id);
    await acme.replace('Users', id, { userName, name: { givenName: 'Augusta', familyName: 'King' } }, rule);
    expect((await read(id)).name).toEqual({ givenName: 'Augusta', familyName: 'Lovelace' });
    await acme.replace('Users', id, { userName }, rule);
    expect((await read(id)).name).toEqual({ familyName: 'Lovelace' });
    for (const operation of [
      { op: 'replace', path: 'name', value: { familyName: 'King' } },
      { op: 'replace', value: { name: { familyName: 'King' } } },
      { op: 'replace', path: 'name.familyName', value: 'King' },
      { op: 'remove', path: 'name' },
      { op: 'replace', path: 'name', value: null },
    ]) {
      expect(await patch(id, operation, rule)).toMatchObject(refused);
    }
    expect(await patch(id, { op: 'add', path: 'name', value: { givenName: 'A' } }, rule)).toMatchObject({
      status: 200,
      body: { name: { givenName: 'A', familyName: 'Lovelace' } },
    });
  });

  test('An excepted active attribute stays unchanged: the user is neither offboarded nor reactivated.', async () => {
    const id = await made();
    await patch(id, { op: 'replace', path: 'active', value: false }, {});
    await acme.replace('Users', id, { ...whole(), active: true }, except('active'));
    expect((await read(id)).active).toBe(false);
    expect(await patch(id, { op: 'replace', value: { active: true } }, except('active'))).toMatchObject(
      refused,
    );
  });

  test('A whole extension that is excepted is kept by PUT.', async () => {
    const id = await made();
    const { userName } = await read(id);
    await acme.replace('Users', id, { userName, [enterprise]: { department: 'Looms' } }, except(enterprise));
    expect((await read(id))[enterprise]).toEqual({ employeeNumber: '7', department: 'Engines' });
  });

  test('Excepted members are kept by PUT and rejected in PATCH, and the name may change.', async () => {
    const id = await made();
    const group = (await acme.create('Groups', { displayName: 'G', members: [{ value: id }] })).body.id;
    const rule = except('members');
    expect((await acme.replace('Groups', group, { displayName: 'H' }, rule)).status).toBe(200);
    const after = (await acme.read('Groups', group)).body;
    expect(after).toMatchObject({ displayName: 'H', members: [{ value: id }] });
    for (const operation of [
      { op: 'replace', path: 'members', value: [] },
      { op: 'remove', path: `members[value eq "${id}"]` },
      { op: 'add', value: { members: [] } },
    ]) {
      expect(await acme.patch('Groups', group, [operation], rule)).toMatchObject(refused);
    }
    expect(await acme.create('Groups', { displayName: 'I', members: [{ value: id }] }, rule)).toMatchObject({
      status: 201,
      body: { displayName: 'I' },
    });
  });

  test('An excepted group name is kept by PUT, whether it was sent or not, and the members change.', async () => {
    const [id, other] = [await made(), await made()];
    const group = (await acme.create('Groups', { displayName: 'Kept', members: [{ value: id }] })).body.id;
    for (const name of [{ displayName: 'x' }, {}]) {
      const members = [{ value: other }];
      const answer = await acme.replace('Groups', group, { ...name, members }, only('members'));
      expect(answer).toMatchObject({ status: 200, body: { displayName: 'Kept', members } });
    }
    const nameless = await acme.replace('Groups', group, { members: [] });
    expect(nameless).toMatchObject({ status: 400, body: { scimType: 'invalidValue' } });
  });

  test('A rule for an attribute with the URN of one resource type applies to that type alone.', async () => {
    const rule = except(`${core}:Group:displayName`);
    const id = await made();
    expect((await patch(id, { op: 'replace', path: 'displayName', value: 'x' }, rule)).status).toBe(200);
    const group = (await acme.create('Groups', { displayName: 'G' })).body.id;
    expect(
      await acme.patch('Groups', group, [{ op: 'replace', path: 'displayName', value: 'x' }], rule),
    ).toMatchObject(refused);
  });
});

test('A malformed attribute rule gives no permission to write.', async () => {
  const id = await made();
  for (const writable of [null, 'all', {}, { mode: 'only' }, { mode: 'some', paths: [] }]) {
    const answer = await acme.patch('Users', id, [{ op: 'remove', path: 'title' }], { writable });
    expect(answer.status).toBe(400);
  }
});
