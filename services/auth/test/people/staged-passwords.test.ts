import { describe, expect, test } from '@jest/globals';
import { isHandled, numbered, signedIn } from './departing.ts';
import { client, service, setUpOneClient } from './one-client.ts';
import { eventually, password, rival, signIn, tenant } from './service.ts';

setUpOneClient();

describe('passwords from provisioning', () => {
  test('work at once when activated, replace the one before, and never the one after', async () => {
    const person = service.directory.addPerson(tenant, 'mallory');
    const stage = async (text: string) => {
      const path = `/tenants/${tenant}/credentials`;
      const { status, body } = await service.internal(
        'POST',
        path,
        { subject: person.id, password: text },
        'provisioning',
      );
      expect(status).toBe(201);
      return body.ticket as string;
    };
    const activate = async (ticket: string, of = tenant) =>
      (
        await service.internal(
          'POST',
          `/tenants/${of}/credentials/${ticket}/activate`,
          undefined,
          'provisioning',
        )
      ).status;
    const works = async (text: string) =>
      (await signIn(service.browser(), client, 'mallory', { password: text })).status === 303;

    const first = await stage('first');
    expect(await works('first')).toBe(false);
    expect(await activate(first)).toBe(204);
    expect(await works('first')).toBe(true);
    const second = await stage('second');
    const third = await stage('third');
    expect(await Promise.all([activate(third), activate(second), activate(third)])).toEqual([204, 204, 204]);
    expect([await works('first'), await works('second'), await works('third')]).toEqual([false, false, true]);
    expect(await activate(first)).toBe(204);
    expect(await works('third')).toBe(true);

    expect(await activate(third, rival)).toBe(404);
    expect(await activate('nonsense')).toBe(404);
  });

  test("a ticket in a user's event is activated, but only for that user", async () => {
    const { person } = await signedIn('nina');
    const { person: other } = await signedIn('olga');
    const path = `/tenants/${tenant}/credentials`;
    const { body } = await service.internal(
      'POST',
      path,
      { subject: person.id, password: 'the new one' },
      'provisioning',
    );
    const wrong = numbered(
      service.directory.changed(tenant, other.id, 'user.updated', { ticket: body.ticket as string }),
    );
    await service.directory.send([wrong]);
    await eventually(() => isHandled([wrong]));
    expect((await signIn(service.browser(), client, 'nina', { password: 'the new one' })).status).toBe(401);
    const right = numbered(
      service.directory.changed(tenant, person.id, 'user.updated', { ticket: body.ticket as string }),
    );
    await service.directory.send([right]);
    await eventually(() => isHandled([right]));
    expect((await signIn(service.browser(), client, 'nina', { password: 'the new one' })).status).toBe(303);
    expect((await signIn(service.browser(), client, 'nina', { password })).status).toBe(401);
  });

  test('of an administrator are refused: provisioning people must not be a way to become one', async () => {
    const { person } = await signedIn('petra');
    const role = { subject: person.id, role: 'tenant_admin' };
    expect((await service.internal('POST', `/tenants/${tenant}/roles`, role, 'operator')).status).toBe(204);
    const stage = (as: 'provisioning' | 'operator', more = {}) =>
      service.internal(
        'POST',
        `/tenants/${tenant}/credentials`,
        { subject: person.id, password: 'mine now', ...more },
        as,
      );
    const refused = await stage('provisioning');
    expect([refused.status, refused.body.error]).toEqual([403, 'forbidden']);
    expect((await stage('provisioning', { administrators: 'true' })).status).toBe(403);
    expect((await stage('provisioning', { administrators: true })).status).toBe(201);
    expect((await stage('operator')).status).toBe(201);
  });

  test.each([
    ['a subject that is no id', { subject: 'x', password: 'y' }],
    ['no password', { subject: crypto.randomUUID() }],
    ['a password that is no text', { subject: crypto.randomUUID(), password: 7 }],
    ['an endless password', { subject: crypto.randomUUID(), password: 'x'.repeat(1_025) }],
    ['a list', []],
    ['a text', 'text'],
  ])('bad input is refused: %s', async (_name, body) => {
    expect(
      (await service.internal('POST', `/tenants/${tenant}/credentials`, body, 'provisioning')).status,
    ).toBe(400);
  });

  test('are staged only for tenants that exist, and by services that may', async () => {
    const body = { subject: crypto.randomUUID(), password: 'x' };
    expect(
      (await service.internal('POST', '/tenants/nowhere/credentials', body, 'provisioning')).status,
    ).toBe(404);
    expect((await service.internal('POST', `/tenants/${tenant}/credentials`, body, 'gateway')).status).toBe(
      403,
    );
    const missing = { ids: [crypto.randomUUID()] };
    expect((await service.internal('POST', '/events/missing', missing, 'directory')).body).toEqual({
      missing: missing.ids,
    });
    expect((await service.internal('POST', '/events/missing', { ids: ['x'] }, 'directory')).status).toBe(400);
  });
});
