import { describe, expect, test } from '@jest/globals';
import { acme, eventsOf, harness, make, setUpUsers } from '../support/user-client.ts';

setUpUsers();

describe('Events of users', () => {
  test('Events describe every change with the whole user, the actor and the context of the change.', async () => {
    const user = await make(
      { displayName: 'E', externalId: 'e1' },
      { source: 'entra', credentialTicket: 'ticket-1' },
    );
    const active = (value: boolean) =>
      acme.patch('Users', user.id, [{ op: 'replace', path: 'active', value }]);
    await acme.patch('Users', user.id, [{ op: 'replace', path: 'title', value: 'Dr' }]);
    await active(false);
    await active(false);
    await active(true);
    await acme.replace('Users', user.id, { userName: user.userName, active: false });
    await acme.patch('Users', user.id, [], { credentialTicket: 'ticket-3' });
    await acme.remove('Users', user.id);
    const events = await eventsOf(user.id);
    expect(events.map((event) => [event.type, Number(event.version)])).toEqual([
      ['user.created', 1],
      ['user.updated', 2],
      ['user.deactivated', 3],
      ['user.reactivated', 4],
      ['user.deactivated', 5],
      ['user.updated', 6],
      ['user.deleted', 7],
    ]);
    expect(events[0]).toMatchObject({
      actor: { kind: 'connector', id: 'scim' },
      payload: {
        id: user.id,
        userName: user.userName,
        displayName: 'E',
        active: true,
        externalIds: { entra: 'e1' },
        source: 'entra',
        credentialTicket: 'ticket-1',
      },
    });
    expect(events.map((event) => event.payload.changedAttributes?.toSorted())).toEqual([
      ['active', 'displayName', 'externalId', 'password', 'userName'],
      expect.anything(),
      ['active'],
      ['active'],
      expect.arrayContaining(['active']),
      ['password'],
      undefined,
    ]);
    const deliveries = await harness.sql(
      `SELECT consumer, count(*)::int AS n FROM directory.outbox_deliveries d
       JOIN directory.outbox_events e ON e.id = d.event_id WHERE e.subject = $1 GROUP BY consumer ORDER BY consumer`,
      [user.id],
    );
    expect(deliveries).toEqual([
      { consumer: 'auth', n: 7 },
      { consumer: 'live', n: 7 },
      { consumer: 'provisioning', n: 7 },
    ]);
  });

  test('A new password alone is a change and has an event.', async () => {
    const user = await make();
    const { body } = await acme.replace(
      'Users',
      user.id,
      { userName: user.userName },
      { credentialTicket: 'ticket-2' },
    );
    expect(body.meta.version).toBe('W/"2"');
    expect((await eventsOf(user.id)).at(-1)).toMatchObject({
      type: 'user.updated',
      payload: { credentialTicket: 'ticket-2' },
    });
  });

  test('A rejected change publishes no event.', async () => {
    const user = await make();
    await acme.patch('Users', user.id, [{ op: 'replace', path: 'title', value: 'x' }], {
      ifMatch: ['W/"7"'],
    });
    await acme.patch('Users', user.id, [{ op: 'replace', path: 'userName', value: '' }]);
    expect(await eventsOf(user.id)).toHaveLength(1);
  });
});

describe('Audit log of users', () => {
  test('The audit log has the values of each attribute before and after a change.', async () => {
    const user = await make({ displayName: 'Old' });
    await acme.patch('Users', user.id, [
      { op: 'replace', path: 'displayName', value: 'New' },
      { op: 'add', path: 'title', value: 'Dr' },
    ]);
    const [, entry] = await harness.sql(
      'SELECT action, actor_id, resource_version, changes FROM directory.audit_log WHERE resource_id = $1 ORDER BY id',
      [user.id],
    );
    expect(entry).toEqual({
      action: 'user.updated',
      actor_id: 'scim',
      resource_version: 2,
      changes: { displayName: { before: 'Old', after: 'New' }, title: { after: 'Dr' } },
    });
  });
});
