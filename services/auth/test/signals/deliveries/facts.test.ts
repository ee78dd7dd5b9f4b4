import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Asking, startAsking } from '../../support/sign-in/asking.ts';
import { Authenticator } from '../../support/sign-in/authenticator.ts';
import { chosen } from '../../support/sign-in/recovering.ts';
import { addPasskey, openAccount, setUpApp } from '../../support/sign-in/second-step.ts';
import { password, redeem, rival, signInAndAllow, tenant, token } from '../../support/sign-in/service.ts';
import { factsOf, listen, type WrittenFact } from './facts.ts';

let asking: Asking;
let admin: string;
beforeAll(async () => {
  asking = await startAsking();
  admin = await asking.machine('sessions:read sessions:write users:write clients:read clients:write');
  await listen(asking.service);
});
afterAll(() => asking.service.stop());

/** Returns the facts about a user, without the password of the fixture. */
const of = async (id: string) => {
  const facts = await factsOf(asking.service, id);
  return facts.slice(facts[0]?.data.changeType === 'create' ? 1 : 0);
};
const deps = () => asking.service.deps;
/** Runs the work six times concurrently. */
const many = <T>(work: (n: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: 6 }, (_, n) => work(n)));
const brief = (facts: readonly WrittenFact[]) => facts.map(({ type, data }) => [type, data]);
const sessionOf = async (id: string): Promise<string> => {
  const { rows } = await deps().database.sql.query<{ id: string }>(
    'SELECT id FROM auth.sessions WHERE subject_id = $1 AND revoked_at IS NULL',
    [id],
  );
  return rows[0]?.id ?? '';
};
const byUser = { initiatingEntity: 'user' };
const byAdmin = { initiatingEntity: 'admin' };
const bySystem = { initiatingEntity: 'system' };

describe('the end of a session', () => {
  const revoke = 'mutation ($id: ID!) { revokeSession(input: { id: $id }) { sessionId } }';

  test('The end of a session is published once when many concurrent requests of an administrator revoke it.', async () => {
    const { id } = await asking.signedIn('one-by-admin');
    const sessionId = await sessionOf(id);
    await many(() => asking.ask(revoke, { id: sessionId }, admin));
    const facts = await of(id);
    expect(brief(facts)).toEqual([['session.revoked', { sessionId, reason: 'revoked', ...byAdmin }]]);
    expect(facts[0]?.actor).toMatchObject({ kind: 'client' });
  });

  test('The end of a session is published once when its user revokes it.', async () => {
    const { id, accessToken } = await asking.signedIn('one-by-owner');
    const sessionId = await sessionOf(id);
    await asking.ask(revoke, { id: sessionId }, accessToken);
    expect(brief(await of(id))).toEqual([['session.revoked', { sessionId, reason: 'revoked', ...byUser }]]);
  });

  test('The end of a session is published when the user signs out, and not again at a second sign-out.', async () => {
    const { id } = await asking.signedIn('leaver');
    const sessionId = await sessionOf(id);
    await many(() => deps().sessions.signOut(tenant, sessionId));
    await deps().sessions.signOut(tenant, sessionId);
    expect(brief(await of(id))).toMatchObject([['session.revoked', { sessionId, reason: 'signed out' }]]);
  });

  test('The end of a session is published once with all the others when everything of the user is revoked.', async () => {
    const { id } = await asking.signedIn('all-by-admin');
    await asking.ask(
      'mutation ($id: ID!) { revokeAllSessions(input: { userId: $id }) { user { id } } }',
      { id },
      admin,
    );
    const reason = { reason: 'signed out everywhere', ...byAdmin };
    expect(brief(await of(id))).toEqual([
      ['session.revoked', reason],
      ['user.doors_closed', { ...reason, sessions: 1, grants: 1, tokens: 1 }],
    ]);
  });

  test('The end of a session at the rival tenant is not published to the receivers of this tenant.', async () => {
    const { id } = await asking.signedIn('theirs', rival);
    await deps().sessions.signOut(rival, await sessionOf(id));
    expect(await of(id)).toEqual([]);
  });
});

describe('a change of a credential', () => {
  test('The first password is published once, however often its ticket is activated.', async () => {
    const person = asking.service.directory.addUser(tenant, 'ticketed');
    const stage = () =>
      asking.service.internal('POST', `/tenants/${tenant}/credentials`, { subject: person.id, password });
    const activate = (ticket: unknown) =>
      asking.service.internal('POST', `/tenants/${tenant}/credentials/${ticket}/activate`);
    const [older, newer] = [(await stage()).body.ticket, (await stage()).body.ticket];
    await many(() => activate(newer));
    expect(brief(await factsOf(asking.service, person.id))).toEqual([
      ['credential.changed', { credentialType: 'password', changeType: 'create', ...byAdmin }],
    ]);
    // A ticket staged before the current password has no effect.
    await activate(older);
    expect(await factsOf(asking.service, person.id)).toHaveLength(1);
  });

  test('A changed password is published once, together with the sessions that the change ended.', async () => {
    const { id } = await asking.signedIn('changer');
    const other = await sessionOf(id);
    const browser = asking.service.browser();
    const page = await openAccount(browser, 'changer', '/password');
    const fields = { present: password, password: chosen, repeated: chosen };
    await many(() => browser.clone().submit(page, fields));
    expect(brief(await of(id))).toEqual([
      ['credential.changed', { credentialType: 'password', changeType: 'update', ...byUser }],
      ['session.revoked', { sessionId: other, reason: 'password changed', ...byUser }],
    ]);
  });

  test('An authenticator app, new recovery codes, and the removal of the app are published once.', async () => {
    const { id } = await asking.service.person('app-owner');
    const browser = asking.service.browser();
    await setUpApp(asking.service, browser, 'app-owner');
    const session = { id: await sessionOf(id), subjectId: id, subjectEpoch: 0, carriedRoles: null };
    await deps().secondFactors.renewRecoveryCodes(tenant, session);
    await many(() => deps().secondFactors.removeTotp(tenant, id));
    expect((await of(id)).map(({ data }) => [data.credentialType, data.changeType])).toEqual([
      ['app', 'create'],
      ['recovery-codes', 'update'],
      ['app', 'delete'],
    ]);
  });

  test('A passkey and its removal are published once.', async () => {
    const { id } = await asking.service.person('key-owner');
    await addPasskey(asking.service.browser(), 'key-owner', new Authenticator());
    const [passkey] = await deps().passkeys.list(tenant, id);
    await many(() => deps().passkeys.remove(tenant, id, passkey?.id ?? ''));
    expect((await of(id)).map(({ data }) => data)).toEqual([
      { credentialType: 'fido2-platform', changeType: 'create', friendlyName: 'Laptop', ...byUser },
      { credentialType: 'fido2-platform', changeType: 'delete', friendlyName: 'Laptop', ...bySystem },
    ]);
  });

  test('A reset of access is published once: the removed credentials, the closed access paths and the new credential.', async () => {
    const { id } = await asking.service.person('reset');
    await addPasskey(asking.service.browser(), 'reset', new Authenticator());
    const { body } = await asking.service.internal('POST', `/tenants/${tenant}/invitations`, {
      subject: id,
      resets: true,
    });
    const { pathname, search } = new URL(String(body.url));
    const browser = asking.service.browser();
    const page = await browser.get(pathname + search);
    await many(() => browser.clone().submit(page, { password: chosen, repeated: chosen }));
    expect(
      (await of(id)).map(({ type, data }) => [type, data.credentialType ?? data.reason, data.changeType]),
    ).toEqual([
      ['credential.changed', 'fido2-platform', 'create'],
      ['credential.changed', 'password', 'revoke'],
      ['credential.changed', 'fido2-platform', 'revoke'],
      ['session.revoked', 'access reset', undefined],
      ['user.doors_closed', 'access reset', undefined],
      ['credential.changed', 'password', 'create'],
    ]);
  });
});

describe('the end of an app’s access', () => {
  async function granted(userName: string) {
    const app = await asking.service.client({ require_consent: false });
    const { id } = await asking.service.person(userName);
    const answer = await signInAndAllow(asking.service.browser(), app, userName, {
      scope: 'openid offline_access',
    });
    const { body } = await redeem(asking.service, app, answer);
    return { app, id, refreshToken: body.refresh_token ?? '' };
  }
  const notified = async (id: string) => brief(await of(id));

  test('The end of an app’s access is published once when its user withdraws it, and not when there is none.', async () => {
    const { app, id } = await granted('withdrawer');
    await many(() => deps().account.withdraw(tenant, id, app.clientId));
    expect(await notified(id)).toMatchObject([
      ['grant.revoked', { clientId: app.clientId, reason: 'consent withdrawn' }],
    ]);
  });

  test('The end of an app’s access is published once when an administrator revokes it.', async () => {
    const { app, id } = await granted('grant-by-admin');
    const [grant] = await deps().grants.listBySubjects(tenant, [id]);
    await many(() =>
      asking.ask(
        'mutation ($id: ID!) { revokeGrant(input: { id: $id }) { grantId } }',
        { id: grant?.id },
        admin,
      ),
    );
    expect(await notified(id)).toEqual([
      ['grant.revoked', { clientId: app.clientId, reason: 'revoked', ...byAdmin }],
    ]);
  });

  test('The end of an app’s access is published once when the app revokes its token, and when a stolen token is replayed.', async () => {
    const back = await granted('given-back');
    await fetch(`${asking.service.origin}/t/${tenant}/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: back.app.clientId, token: back.refreshToken }),
    });
    expect(await notified(back.id)).toMatchObject([['grant.revoked', { reason: 'revoked_by_client' }]]);
    const stolen = await granted('stolen');
    const refresh = (refreshToken: string) =>
      token(asking.service, stolen.app, { grant_type: 'refresh_token', refresh_token: refreshToken });
    const next = (await refresh(stolen.refreshToken)).body.refresh_token ?? '';
    await refresh(next);
    await many(() => refresh(stolen.refreshToken));
    expect(await notified(stolen.id)).toEqual([
      ['grant.revoked', { clientId: stolen.app.clientId, reason: 'replay', ...bySystem }],
    ]);
  });

  test('The end of an app’s access for all users is published once when the client is disabled.', async () => {
    const { app } = await granted('of-the-disabled');
    await deps().clientRegistry.disable(tenant, app.clientId);
    await deps().clientRegistry.disable(tenant, app.clientId);
    expect(brief(await of(app.clientId))).toEqual([
      ['grant.revoked', { clientId: app.clientId, reason: 'client_disabled' }],
    ]);
  });

  test('The end of an app’s remaining access is published once when a user ends all sessions but one.', async () => {
    const { app, id } = await granted('but-one');
    await deps().sessions.signOut(tenant, await sessionOf(id));
    const browser = asking.service.browser();
    await openAccount(browser, 'but-one');
    const session = await deps().sessions.find(tenant, browser.cookies.get(`__Host-ostiary-${tenant}`));
    if (!session) throw new Error('no session');
    await many(() => deps().account.endOthers(tenant, session));
    expect((await notified(id)).slice(1)).toMatchObject([
      ['grant.revoked', { clientId: app.clientId, reason: 'signed out elsewhere' }],
    ]);
  });
});
