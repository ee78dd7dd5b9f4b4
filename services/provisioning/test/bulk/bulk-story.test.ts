import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { eventually } from '@ostiary/service/testing';
import { type Source, startWithDirectory, type WithDirectory } from '../support/real-directory.ts';
import type { ScimResponse } from '../support/service.ts';

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
const bulkRequest = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';

/** Bulk with the real directory. */
describe('A Bulk to the directory', () => {
  let system: WithDirectory;
  let hr: Source;

  beforeAll(async () => {
    system = await startWithDirectory({ bodyLimit: 1_048_576 });
    hr = await system.source('rfc');
  });
  afterAll(async () => {
    await system?.close();
  });

  const post = (bulkId: string, data: object) => ({
    method: 'POST',
    path: 'userName' in data ? '/Users' : '/Groups',
    bulkId,
    data: { schemas: ['userName' in data ? userSchema : groupSchema], ...data },
  });
  const bulk = (Operations: object[], headers?: Record<string, string>) =>
    hr.call('POST', '/Bulk', {
      body: { schemas: [bulkRequest], Operations },
      ...(headers ? { headers } : {}),
    });
  const statuses = ({ body }: ScimResponse) => body.Operations.map((o: { status: string }) => o.status);
  const idOf = ({ body }: ScimResponse, bulkId: string): string =>
    body.Operations.find((o: { bulkId?: string }) => o.bulkId === bulkId)
      .location.split('/')
      .at(-1);
  const name = () => `user-${uuidv7()}`;
  const managedBy = (bulkId: string) => ({
    schemas: [userSchema, enterprise],
    [enterprise]: { manager: { value: `bulkId:${bulkId}` } },
  });

  test('A Bulk creates users who manage each other in a circle of three, and the group that contains them.', async () => {
    const answer = await bulk([
      post('team', {
        displayName: 'Team',
        members: ['a', 'b', 'c'].map((of) => ({ value: `bulkId:${of}` })),
      }),
      post('a', { userName: name(), ...managedBy('b') }),
      post('b', { userName: name(), ...managedBy('c') }),
      post('c', { userName: name(), ...managedBy('a') }),
    ]);
    expect(statuses(answer)).toEqual(['201', '201', '201', '201']);
    for (const [of, manager] of [
      ['a', 'b'],
      ['b', 'c'],
      ['c', 'a'],
    ] as const) {
      const { body, headers } = await hr.call('GET', `/Users/${idOf(answer, of)}`);
      expect(body[enterprise].manager.value).toBe(idOf(answer, manager));
      const operation = answer.body.Operations.find((o: { bulkId: string }) => o.bulkId === of);
      expect(operation.version).toBe(headers.get('etag'));
    }
    const team = await hr.call('GET', `/Groups/${idOf(answer, 'team')}`);
    expect(team.body.members).toHaveLength(3);
  });

  test('A Bulk of nested groups creates the inner groups first.', async () => {
    const answer = await bulk([
      post('outer', { displayName: 'Outer', members: [{ value: 'bulkId:inner' }] }),
      post('inner', { displayName: 'Inner', members: [{ value: 'bulkId:ada' }] }),
      post('ada', { userName: name() }),
    ]);
    expect(statuses(answer)).toEqual(['201', '201', '201']);
    const ada = await hr.call('GET', `/Users/${idOf(answer, 'ada')}`);
    expect(ada.body.groups.map(({ type }: { type: string }) => type).sort()).toEqual(['direct', 'indirect']);
  });

  test('A Bulk operation with a version that is not current leaves the resource unchanged.', async () => {
    const made = await bulk([post('a', { userName: name() })]);
    const path = `/Users/${idOf(made, 'a')}`;
    const answer = await bulk([
      { method: 'PUT', path, version: 'W/"99"', data: { schemas: [userSchema], userName: name() } },
      { method: 'DELETE', path, version: 'W/"99"' },
      { method: 'DELETE', path, version: made.body.Operations[0].version },
    ]);
    expect(statuses(answer)).toEqual(['412', '412', '204']);
  });

  test('A Bulk creates a thousand users and, repeated with its key, creates none of them again.', async () => {
    const operations = Array.from({ length: 1000 }, (_, i) =>
      post(`u${i}`, { userName: name(), externalId: `thousand-${i}`, name: { familyName: `N${i}` } }),
    );
    const headers = { 'idempotency-key': uuidv7() };
    // The time of one request is limited: on a busy machine the rest is rejected with 503, and repeated with the key.
    const first = await eventually(
      () => bulk(operations, headers),
      (answer) => !statuses(answer).includes('503'),
    );
    expect(new Set(statuses(first))).toEqual(new Set(['201']));
    expect((await bulk(operations, headers)).body).toEqual(first.body);
    // Without the key the names are taken.
    const again = await bulk(operations.slice(0, 20));
    expect(again.body.Operations.map((o: { response: { scimType: string } }) => o.response.scimType)).toEqual(
      Array(20).fill('uniqueness'),
    );
  });
});
