import { beforeAll, describe, expect, test } from '@jest/globals';
import { unique } from '../../support/demo.ts';
import { groupSchema, ScimClient, userSchema } from '../../support/scim.ts';
import { sameForAll } from './answers.ts';
import { type Asking, malformed, prepare, rival, unknown } from './ids.ts';

let foreign: Asking['foreign'];

beforeAll(async () => {
  ({ foreign } = await prepare());
});

/** Malformed ids for a path, where an empty id is another resource. */
const inPaths = malformed.filter((id) => id !== '');

describe('over SCIM', () => {
  const scim = new ScimClient(rival, rival.clients.scim.token);
  const call = (method: string, path: string, body?: unknown) =>
    fetch(`${rival.scim}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${rival.clients.scim.token}`,
        'content-type': 'application/scim+json',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const patch = (operation: object) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
    Operations: [operation],
  });
  const deactivate = patch({ op: 'replace', path: 'active', value: false });
  const rename = patch({ op: 'replace', path: 'displayName', value: 'never' });

  test.each<[string, string, unknown]>([
    ['GET', 'Users', undefined],
    ['DELETE', 'Users', undefined],
    ['PUT', 'Users', { schemas: [userSchema], userName: 'never' }],
    ['PATCH', 'Users', deactivate],
    ['GET', 'Groups', undefined],
    ['DELETE', 'Groups', undefined],
    ['PUT', 'Groups', { schemas: [groupSchema], displayName: 'never' }],
    ['PATCH', 'Groups', rename],
    ['GET', 'Schemas', undefined],
    ['GET', 'ResourceTypes', undefined],
  ])(
    '%s /%s/{id} answers a malformed id and a foreign one like an unknown one.',
    async (method, type, body) => {
      const { expected, others } = await sameForAll([unknown, ...inPaths, ...foreign], (id) =>
        call(method, `/${type}/${encodeURIComponent(id)}`, body),
      );
      expect(expected).toMatch(/^\[404,/);
      expect(others).toEqual([]);
    },
  );

  test('Malformed and foreign ids in filters, members and managers are answered like unknown ones.', async () => {
    const ids = [unknown, ...malformed, ...foreign];
    const group = await scim.call('POST', '/Groups', { schemas: [groupSchema], displayName: unique('own') });
    for (const ask of [
      (id: string) => call('GET', `/Users?filter=${encodeURIComponent(`id eq ${JSON.stringify(id)}`)}`),
      (id: string) =>
        call('GET', `/Groups?filter=${encodeURIComponent(`members.value eq ${JSON.stringify(id)}`)}`),
      (id: string) =>
        call(
          'PATCH',
          `/Groups/${group.body.id}`,
          patch({ op: 'remove', path: `members[value eq ${JSON.stringify(id)}]` }),
        ),
    ]) {
      const { expected, others } = await sameForAll(ids, ask);
      expect(expected).toMatch(/^\[20[04],/);
      expect(others).toEqual([]);
    }
    const { expected, others } = await sameForAll(
      // A body with NUL is rejected for every id (docs/reference/scim.md).
      ids.filter((id) => id.trim() !== '' && !id.includes('\u0000')),
      (id) =>
        call(
          'PATCH',
          `/Groups/${group.body.id}`,
          patch({ op: 'add', path: 'members', value: [{ value: id }] }),
        ),
    );
    expect(expected).toContain('invalidValue');
    expect(others).toEqual([]);
  });
});
