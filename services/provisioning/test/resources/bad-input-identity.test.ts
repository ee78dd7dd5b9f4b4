import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { bulkRequest, carelessSources, groupSchema, patchOp } from '../support/careless-sources.ts';

/** Errors about values and resources of others, or of two requests at the same time. */
describe('Bad input about other resources', () => {
  const careless = carelessSources();
  const { hr, rival, outcome, user, create, createGroup, patch, read } = careless;

  test('Of 50 parallel creations of one userName, in any case, one is 201 and the others are uniqueness.', async () => {
    const name = `Race-${uuidv7()}`;
    const cased = (i: number) =>
      [...name].map((c, at) => ((i >> (at % 5)) & 1 ? c.toUpperCase() : c.toLowerCase())).join('');
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => hr.call('POST', '/Users', { body: user({ userName: cased(i) }) })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    const others = answers.filter(({ status }) => status !== 201);
    expect(others.map(outcome)).toEqual(others.map(() => [409, 'uniqueness']));
    const taken = await create();
    const { id } = await create();
    const renamed = await patch(`/Users/${id}`, {
      op: 'replace',
      path: 'userName',
      value: taken.userName.toUpperCase(),
    });
    expect(outcome(renamed)).toEqual([409, 'uniqueness']);
    const replaced = await hr.call('PUT', `/Users/${id}`, { body: user({ userName: taken.userName }) });
    expect(outcome(replaced)).toEqual([409, 'uniqueness']);
    expect(JSON.stringify(replaced.body)).not.toContain(taken.id);
    // Another tenant may use the name.
    expect((await rival.call('POST', '/Users', { body: user({ userName: taken.userName }) })).status).toBe(
      201,
    );
  });

  describe('Resources of another tenant', () => {
    test('A resource of another tenant is answered word for word like one that exists nowhere.', async () => {
      const theirs = await create({}, rival);
      const theirGroup = await createGroup(rival);
      for (const [type, foreign] of [
        ['Users', theirs.id],
        ['Groups', theirGroup],
      ] as const) {
        for (const [method, body] of [
          ['GET', undefined],
          ['PUT', type === 'Users' ? user() : { schemas: [groupSchema], displayName: 'x' }],
          ['PATCH', { schemas: [patchOp], Operations: [{ op: 'add', path: 'displayName', value: 'x' }] }],
          ['DELETE', undefined],
        ] as const) {
          const ask = (id: string) => hr.call(method, `/${type}/${id}`, body ? { body } : {});
          const [there, nowhere] = [await ask(foreign), await ask(uuidv7())];
          expect(there.status).toBe(404);
          expect(there.body).toEqual(nowhere.body);
        }
      }
      expect(await read(`/Users/${theirs.id}`, rival)).toEqual(theirs);
    });

    test('A foreign, deleted, malformed or invented id cannot be a member, and is rejected with the same 400.', async () => {
      const theirs = await create({}, rival);
      const gone = await create();
      await hr.call('DELETE', `/Users/${gone.id}`);
      const group = await createGroup();
      const wrong = [theirs.id, gone.id, await createGroup(rival), uuidv7(), '42', 'hr-1', ''];
      const bodies = [];
      for (const value of wrong) {
        const created = await hr.call('POST', '/Groups', {
          body: { schemas: [groupSchema], displayName: 'G', members: [{ value }] },
        });
        const added = await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value }] });
        const replaced = await hr.call('PUT', `/Groups/${group}`, {
          body: { schemas: [groupSchema], displayName: 'G', members: [{ value }] },
        });
        for (const answer of [created, added, replaced]) {
          expect(outcome(answer)).toEqual([400, 'invalidValue']);
          bodies.push(JSON.stringify(answer.body).replace(`Member \\"${value}\\"`, 'Member <id>'));
        }
      }
      expect(new Set(bodies.slice(0, 18)).size).toBe(1);
      expect((await read(`/Groups/${group}`)).members ?? []).toEqual([]);
    });

    test('A resource of another tenant cannot be reached through a Bulk.', async () => {
      const theirs = await create({}, rival);
      const answer = await hr.call('POST', '/Bulk', {
        body: {
          schemas: [bulkRequest],
          Operations: [
            { method: 'DELETE', path: `/t/rival/scim/v2/Users/${theirs.id}` },
            { method: 'DELETE', path: `/../../rival/scim/v2/Users/${theirs.id}` },
            { method: 'DELETE', path: `https://id.example.test/t/rival/scim/v2/Users/${theirs.id}` },
            { method: 'DELETE', path: `/Users/${theirs.id}` },
            {
              method: 'POST',
              path: '/Groups',
              bulkId: 'g',
              data: { schemas: [groupSchema], displayName: 'G', members: [{ value: theirs.id }] },
            },
          ],
        },
      });
      expect(answer.body.Operations.map(({ status }: { status: string }) => status)).toEqual([
        '400',
        '400',
        '400',
        '404',
        '400',
      ]);
      expect(JSON.stringify(answer.body)).not.toContain(theirs.userName);
      expect((await rival.call('GET', `/Users/${theirs.id}`)).status).toBe(200);
    });

    test('A token of another tenant is not valid here.', async () => {
      const answer = await careless.system.service.scim('GET', '/Users', { token: rival.token });
      expect(answer.status).toBe(401);
    });
  });

  describe('External ids', () => {
    test('An externalId never identifies a resource in a path, not even a numeric one or one that equals an id.', async () => {
      const victim = await create({ externalId: '1' });
      const imposter = await create({ externalId: victim.id });
      for (const path of ['/Users/1', '/Users/01', '/Users/0', '/Users/-1', '/Users/1.0']) {
        expect((await hr.call('GET', path)).status).toBe(404);
        expect((await hr.call('DELETE', path)).status).toBe(404);
      }
      expect((await read(`/Users/${victim.id}`)).id).toBe(victim.id);
      expect((await read(`/Users/${imposter.id}`)).externalId).toBe(victim.id);
      const found = await hr.call('GET', `/Users?filter=${encodeURIComponent(`id eq "1"`)}`);
      expect(found.body.totalResults).toBe(0);
      const group = await createGroup();
      const member = await patch(`/Groups/${group}`, { op: 'add', path: 'members', value: [{ value: '1' }] });
      expect(outcome(member)).toEqual([400, 'invalidValue']);
    });

    test('An externalId that is a number is rejected as invalidValue.', async () => {
      expect(outcome(await hr.call('POST', '/Users', { body: user({ externalId: 1 }) }))).toEqual([
        400,
        'invalidValue',
      ]);
    });

    test('An externalId is separate for each source.', async () => {
      const other = await careless.system.source('rfc');
      const { id } = await create({ externalId: 'hr-7' });
      expect((await read(`/Users/${id}`, other)).externalId).toBeUndefined();
      const filter = encodeURIComponent('externalId eq "hr-7"');
      expect((await hr.call('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(1);
      expect((await other.call('GET', `/Users?filter=${filter}`)).body.totalResults).toBe(0);
    });
  });
});
