import { expect, test } from '@jest/globals';
import type { NewEvent } from '@ostiary/events';
import { eventually } from '@ostiary/service/testing';
import {
  deliveries,
  type RelyingParty,
  relyingParty,
  type SignedInApp,
  service,
  setUpLogout,
  signInTo,
} from '../../signals/deliveries/logged-in.ts';
import { acceptable } from '../../support/sign-in/acceptable.ts';
import { chosen } from '../../support/sign-in/recovering.ts';
import { openAccount } from '../../support/sign-in/second-step.ts';
import { password, tenant } from '../../support/sign-in/service.ts';

setUpLogout();

interface Scene {
  id: string;
  userName: string;
  /** App in the browser whose session continues, if one does. */
  here: SignedInApp;
  there: SignedInApp;
}

/** Operations that end sessions of a user with two browsers, and whether they end the other session or both. */
const ends: Record<string, { ends: 'there' | 'both'; by: (scene: Scene) => Promise<unknown> }> = {
  'an administrator revokes the session': {
    ends: 'there',
    by: ({ there }) => service.deps.sessions.revoke(tenant, there.sid),
  },
  'the person ends the others on the account page': {
    ends: 'there',
    by: async ({ id, here }) => {
      const session = await liveSession(here);
      expect(session.subjectId).toBe(id);
      await service.deps.account.endOthers(tenant, session);
    },
  },
  'the password is changed': {
    ends: 'there',
    by: async ({ here }) => {
      const { outcome } = await service.deps.account.changePassword(tenant, await liveSession(here), {
        present: password,
        next: acceptable(chosen),
      });
      expect(outcome).toBe('changed');
    },
  },
  'another person signs in in that browser': {
    ends: 'there',
    by: async ({ there }) => {
      const next = await service.person(`${there.sid}-next`);
      await service.deps.subjects.find(tenant, next.id);
      await service.deps.sessions.start(
        tenant,
        { subjectId: next.id, amr: ['pwd'], carriedRoles: null, userAgent: undefined, ipAddress: undefined },
        await liveSession(there),
      );
    },
  },
  'everything of the person is revoked': {
    ends: 'both',
    by: ({ id }) => service.deps.subjects.signOutEverywhere(tenant, id),
  },
  'a role is taken away': {
    ends: 'both',
    by: async ({ id }) => {
      await service.deps.subjects.assignRole(tenant, id, 'help_desk');
      await service.deps.subjects.removeRole(tenant, id, 'help_desk');
    },
  },
  'the person leaves': {
    ends: 'both',
    by: ({ id }) => service.directory.change(tenant, id, 'user.deactivated'),
  },
  'the person is deleted': {
    ends: 'both',
    by: ({ id }) => service.directory.change(tenant, id, 'user.deleted'),
  },
};

async function liveSession({ browser }: SignedInApp) {
  const session = await service.deps.sessions.find(tenant, browser.cookies.get(`__Host-ostiary-${tenant}`));
  if (!session) throw new Error('no session');
  return session;
}

const notified = ({ receiver }: RelyingParty, times: number) =>
  eventually(async () => receiver.tokens.length >= times);

test.each(Object.entries(ends))(
  'When %s, clients are notified of the ended sessions and of nothing else.',
  async (name, how) => {
    const userName = name.replaceAll(' ', '-');
    const [app, exact] = await Promise.all([
      relyingParty(),
      relyingParty({ backchannel_logout_session_required: true }),
    ]);
    const bystander = await relyingParty();
    const { id } = await service.person(userName);
    const here = await signInTo(app, userName);
    await signInTo(exact, userName, { browser: here.browser });
    const there = await signInTo(app, userName);
    await signInTo(exact, userName, { browser: there.browser });
    await service.person(`${userName}-2`);
    await signInTo(bystander, `${userName}-2`);

    await how.by({ id, userName, here, there });
    const both = how.ends === 'both';
    await Promise.all([notified(app, 1), notified(exact, both ? 2 : 1)]);
    // For all sessions together: without a session id, unless the client requires it.
    expect(app.receiver.tokens.map(({ sub, sid }) => ({ sub, sid }))).toEqual([
      { sub: id, sid: both ? undefined : there.sid },
    ]);
    expect(exact.receiver.tokens.map(({ sid }) => sid).toSorted()).toEqual(
      (both ? [here.sid, there.sid] : [there.sid]).toSorted(),
    );
    expect(exact.receiver.tokens.every(({ sub }) => sub === id)).toBe(true);
    expect(bystander.receiver.raw).toEqual([]);
    expect(await deliveries(app.client.clientId)).toHaveLength(1);
  },
);

test('Offboarding notifies the client whose session is over but whose offline access continued.', async () => {
  const app = await relyingParty();
  const { id } = await service.person('offline-leaver');
  const there = await signInTo(app, 'offline-leaver', { scope: 'openid offline_access' });
  await service.deps.sessions.signOut(tenant, there.sid);
  await notified(app, 1);
  await service.directory.change(tenant, id, 'user.deactivated');
  await notified(app, 2);
  expect(app.receiver.tokens.map(({ sid }) => sid)).toEqual([there.sid, undefined]);
});

test('A session that expires notifies no client until the user is offboarded.', async () => {
  const app = await relyingParty();
  const { id } = await service.person('idle');
  const there = await signInTo(app, 'idle');
  await service.deps.database.sql.query(
    `UPDATE auth.sessions SET expires_at = now() - interval '1 hour' WHERE id = $1`,
    [there.sid],
  );
  expect(await openAccount(there.browser, 'idle')).toMatchObject({ status: 200 });
  expect(await deliveries(app.client.clientId)).toEqual([]);
  await service.directory.change(tenant, id, 'user.deactivated');
  await notified(app, 1);
});

test('A suspended tenant notifies the clients of each session once, with tokens that verify.', async () => {
  service.directory.addTenant('stopping', 'Stopping');
  const app = await relyingParty({}, 'stopping');
  await service.person('ann', { tenant: 'stopping' });
  await service.person('ben', { tenant: 'stopping' });
  const sids = [(await signInTo(app, 'ann')).sid, (await signInTo(app, 'ben')).sid];
  const suspended = (version: number): NewEvent => ({
    tenant: 'stopping',
    type: 'tenant.updated',
    subject: 'stopping',
    version,
    actor: { kind: 'system', id: 'test' },
    payload: { id: 'stopping', name: 'Stopping', status: 'suspended' },
  });
  await service.directory.send([suspended(2), suspended(3)]);
  await notified(app, 2);
  expect(app.receiver.tokens.map(({ sid }) => sid).toSorted()).toEqual(sids.toSorted());
  expect(await deliveries(app.client.clientId)).toHaveLength(2);
  expect(app.receiver.refused).toEqual([]);
});
