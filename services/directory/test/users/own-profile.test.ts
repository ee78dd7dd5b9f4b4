import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { ownAttributes } from '@ostiary/scim';
import {
  acme,
  admin,
  ask,
  codes,
  harness,
  problems,
  rival,
  rivalAdmin,
  setUpGraph,
  user,
} from '../support/graph-client.ts';
import type { Json } from '../support/harness.ts';

setUpGraph();

const updateMe = `mutation ($input: UpdateMeInput!) { updateMe(input: $input) {
  user { id version displayName nickName profileUrl preferredLanguage locale timezone name { givenName familyName }
    photos { value display type primary } }
  problems { code path } } }`;

const change = (input: object, token: string): Promise<Json> => ask(updateMe, { input }, token);

/** Returns a user's token from a sign-in to an app with consent to profile changes, without a scope of any role. */
const tokenOf = (subject: string, options: object = {}): string =>
  harness.issuer.token(acme.tenant, {
    subject,
    clientId: 'portal',
    scopes: ['openid', 'self:profile'],
    ...options,
  });

describe("Changes of a user's own profile", () => {
  test('Users without any role change their own profile, and the log names them as the actor.', async () => {
    const { id, userName } = await user({ displayName: 'Ada', title: 'Dr', timezone: 'UTC' });
    const input = {
      version: 1,
      displayName: 'Ada L.',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      nickName: 'Countess',
      photos: [{ value: 'https://example.com/ada.png', display: 'Portrait', type: 'PHOTO', primary: true }],
      profileUrl: 'https://example.com/ada',
      preferredLanguage: 'en',
      locale: 'en-GB',
      timezone: null,
    };
    const { data, errors } = await change(input, tokenOf(id));
    expect(errors).toBeUndefined();
    expect(data.updateMe).toEqual({
      user: {
        ...input,
        id,
        version: 2,
        photos: [{ value: 'https://example.com/ada.png', display: 'Portrait', type: 'photo', primary: true }],
      },
      problems: [],
    });
    expect((await acme.read('Users', id)).body).toMatchObject({
      userName,
      title: 'Dr',
      active: true,
      displayName: 'Ada L.',
    });
    const log = `query ($id: ID) { auditLog(first: 1, filter: { resourceId: $id }) { edges { node {
      action resourceVersion actor { __typename id: actorId onBehalfOf } changes { attribute } } } } }`;
    const [entry] = (await ask(log, { id })).data.auditLog.edges;
    expect(entry.node).toMatchObject({
      action: 'user.updated',
      resourceVersion: 2,
      actor: { __typename: 'UserActor', id, onBehalfOf: null },
    });
    expect(entry.node.changes.map(({ attribute }: Json) => attribute).sort()).toEqual([...ownAttributes]);
  });

  test('An app that users only sign in to cannot change their profile.', async () => {
    const { id } = await user({ displayName: 'Ada' });
    const app = tokenOf(id, {
      scopes: ['openid', 'profile', 'email', 'groups', 'self:tokens', 'self:sessions'],
    });
    expect(codes(await change({ displayName: 'Eve' }, app))).toEqual(['FORBIDDEN']);
    expect((await acme.read('Users', id)).body.displayName).toBe('Ada');
  });

  test('The mutation changes exactly the attributes that /Me may change.', async () => {
    const { data } = await ask('{ __type(name: "UpdateMeInput") { inputFields { name } } }');
    const fields: string[] = data.__type.inputFields.map(({ name }: Json) => name);
    expect(fields.sort()).toEqual([...ownAttributes, 'version', 'idempotencyKey'].sort());
    const { id } = await user();
    for (const other of [
      { id: randomUUID() },
      { userName: 'root' },
      { emails: [{ value: 'ceo@example.com' }] },
      { active: true },
      { title: 'Boss' },
      { externalId: 'x' },
      { scimRoles: [{ value: 'admin' }] },
      { entitlements: [{ value: 'all' }] },
      { extensions: {} },
    ]) {
      const body = await change({ displayName: 'X', ...other }, tokenOf(id));
      expect(codes(body)).toEqual(['BAD_USER_INPUT']);
    }
    expect((await acme.read('Users', id)).body.meta.version).toBe('W/"1"');
  });

  test('The mutation is rejected for clients, service accounts and callers with an exchanged token.', async () => {
    const { id } = await user();
    const robot = harness.issuer.token(acme.tenant, { clientId: 'robot', scopes: ['users:write'] });
    for (const token of [admin, robot, tokenOf(id, { actor: 'agent' })]) {
      expect(codes(await change({ displayName: 'X' }, token))).toEqual(['FORBIDDEN']);
    }
    expect(codes((await harness.graph(updateMe, { input: { displayName: 'X' } })).body)).toEqual([
      'UNAUTHENTICATED',
    ]);
    expect((await acme.read('Users', id)).body.meta.version).toBe('W/"1"');
  });

  test('The mutation changes no profile of another user or another tenant.', async () => {
    const [mine, theirs] = [await user(), await user()];
    const stranger = (await rival.create('Users', { userName: 'stranger' })).body;
    await change({ displayName: 'Me' }, tokenOf(mine.id));
    expect((await acme.read('Users', theirs.id)).body.displayName).toBeUndefined();
    // A token of the other tenant that names a user of acme: the user does not exist there.
    const forged = harness.issuer.token(rival.tenant, {
      subject: mine.id,
      clientId: 'portal',
      scopes: ['self:profile'],
    });
    expect(problems(await change({ displayName: 'Theirs' }, forged))).toEqual(['NOT_FOUND']);
    expect(problems(await change({ displayName: 'X' }, tokenOf(stranger.id)))).toEqual(['NOT_FOUND']);
    expect(codes(await change({ displayName: 'X' }, rivalAdmin))).toEqual(['FORBIDDEN']);
    expect((await acme.read('Users', mine.id)).body.displayName).toBe('Me');
    expect((await rival.read('Users', stranger.id)).body.displayName).toBeUndefined();
  });

  test('One of two changes based on the same version succeeds, and one idempotency key changes the profile once.', async () => {
    const { id } = await user();
    const answers = await Promise.all(
      ['a', 'b', 'c', 'd'].map((nickName) => change({ version: 1, nickName }, tokenOf(id))),
    );
    expect(answers.flatMap(problems)).toEqual(Array(3).fill('VERSION_CONFLICT'));
    expect((await acme.read('Users', id)).body.meta.version).toBe('W/"2"');
    const again = { nickName: 'e', idempotencyKey: randomUUID() };
    const [one, two] = [await change(again, tokenOf(id)), await change(again, tokenOf(id))];
    expect([one.data.updateMe.user.version, two]).toEqual([3, one]);
    const { idempotencyKey } = again;
    expect(problems(await change({ nickName: 'f', idempotencyKey }, tokenOf(id)))).toEqual([
      'IDEMPOTENCY_KEY_REUSED',
    ]);
  });

  test('The mutation reports the errors in the input.', async () => {
    const { id } = await user();
    const two = ['a', 'b'].map((value) => ({ value: `https://example.com/${value}`, primary: true }));
    for (const input of [{}, { version: 1 }, { photos: two }, { profileUrl: 'not a URL' }]) {
      expect(problems(await change(input, tokenOf(id)))).toEqual(['INVALID_INPUT']);
    }
  });
});
