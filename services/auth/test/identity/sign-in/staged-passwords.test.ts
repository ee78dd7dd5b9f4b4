import { describe, expect, test } from '@jest/globals';
import { apiScopes } from '@ostiary/access';
import { eventually } from '@ostiary/service/testing';
import { passwordInForce } from '../../../src/identity/sign-in/data/credentials.ts';
import { isHandled, numbered, signedIn } from '../../support/sign-in/departing.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { chosen, linkFor } from '../../support/sign-in/recovering.ts';
import { accountPath } from '../../support/sign-in/second-step.ts';
import { password, rival, signIn, tenant } from '../../support/sign-in/service.ts';

setUpOneClient();

describe('passwords from provisioning', () => {
  test('Staged passwords are valid immediately when activated, replace the previous one, and never a later one.', async () => {
    const person = service.directory.addUser(tenant, 'mallory');
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

    const first = await stage('the first of them');
    expect(await works('the first of them')).toBe(false);
    expect(await activate(first)).toBe(204);
    expect(await works('the first of them')).toBe(true);
    const second = await stage('the second of them');
    const third = await stage('the third of them');
    expect(await Promise.all([activate(third), activate(second), activate(third)])).toEqual([204, 204, 204]);
    expect([
      await works('the first of them'),
      await works('the second of them'),
      await works('the third of them'),
    ]).toEqual([false, false, true]);
    expect(await activate(first)).toBe(204);
    expect(await works('the third of them')).toBe(true);

    expect(await activate(third, rival)).toBe(404);
    expect(await activate('nonsense')).toBe(404);
  });

  test('Staged passwords are published as the change of the caller who sent them, however they are activated.', async () => {
    const { stagedPasswords, database } = service.deps;
    const byEvent = service.directory.addUser(tenant, 'told-by-event');
    const actor = { kind: 'connector' as const, id: 'hr', name: 'HR' };
    const fields = {
      ticket: await stagedPasswords.stage(tenant, byEvent.id, 'sent by an identity source', {
        carriedRoles: null,
      }),
    };
    const event = numbered({
      ...service.directory.changed(tenant, byEvent.id, 'user.updated', fields),
      actor,
    });
    await service.directory.send([event]);
    await eventually(() => isHandled([event]));
    const byCall = service.directory.addUser(tenant, 'told-by-call');
    const ticket = await stagedPasswords.stage(tenant, byCall.id, 'sent by an identity source', {
      carriedRoles: null,
    });
    const path = `/tenants/${tenant}/credentials/${ticket}/activate`;
    const { status } = await service.internal('POST', path, { actor }, 'provisioning');
    expect(status).toBe(204);
    for (const { id } of [byEvent, byCall]) {
      const { rows } = await database.sql.query(
        `SELECT actor FROM auth.security_log WHERE subject_id = $1 AND action = 'user.password_changed'`,
        [id],
      );
      expect(rows).toEqual([{ actor }]);
    }
  });

  test.each<[string, (subjectId: string) => Promise<unknown>]>([
    [
      'reset because others may know them',
      (subjectId) =>
        service.deps.invitations.invite(tenant, {
          subjectId,
          lifetimeSeconds: 600,
          carriedRoles: null,
          mayOpen: () => true,
          resets: true,
          compromised: true,
        }),
    ],
    [
      'reset by a link that its person accepts',
      async (subjectId) => {
        const browser = service.browser();
        const page = await browser.get(await linkFor(subjectId, { resets: true }));
        const { location } = await browser.submit(page, { password: chosen, repeated: chosen });
        expect(location).toBe(accountPath);
      },
    ],
  ])('Passwords that were staged before the credentials were %s are never valid.', async (how, reset) => {
    const { person } = await signedIn(`staged-before-${how.length}`);
    const { person: other } = await signedIn(`staged-beside-${how.length}`);
    const stage = (subjectId: string, text: string) =>
      service.deps.stagedPasswords.stage(tenant, subjectId, text, { carriedRoles: null });
    const works = async (of: { userName: string }, text: string) =>
      (await signIn(service.browser(), client, of.userName, { password: text })).status === 303;
    const [ticket, others] = [
      await stage(person.id, 'known to others'),
      await stage(other.id, 'that of another'),
    ];
    await reset(person.id);
    const event = numbered(service.directory.changed(tenant, person.id, 'user.updated', { ticket }));
    await service.directory.send([event]);
    await eventually(() => isHandled([event]));
    // The response to the caller is the same.
    expect(await service.deps.stagedPasswords.activate(tenant, ticket)).toBe(true);
    expect(await works(person, 'known to others')).toBe(false);
    expect(await service.deps.stagedPasswords.activate(tenant, others)).toBe(true);
    expect(await works(other, 'that of another')).toBe(true);
    const later = await stage(person.id, 'staged afterwards');
    await service.deps.stagedPasswords.activate(tenant, later);
    expect(await works(person, 'staged afterwards')).toBe(true);
  });

  test('Passwords that were staged before a reset have no effect when both happen simultaneously.', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, (_, n) => signedIn(`staged-race-${n}`)));
    for (const { person } of people) {
      const ticket = await service.deps.stagedPasswords.stage(tenant, person.id, 'known to others', {
        carriedRoles: null,
      });
      await Promise.all([
        service.deps.stagedPasswords.activate(tenant, ticket),
        service.deps.invitations.invite(tenant, {
          subjectId: person.id,
          lifetimeSeconds: 600,
          carriedRoles: null,
          mayOpen: () => true,
          resets: true,
          compromised: true,
        }),
      ]);
      expect(await passwordInForce(service.deps.database.sql, tenant, person.id)).toBeUndefined();
    }
  });

  test('A ticket in the event of a user is activated, but only for that user.', async () => {
    const { person } = await signedIn('nina');
    const { person: other } = await signedIn('olga');
    const path = `/tenants/${tenant}/credentials`;
    const { body } = await service.internal(
      'POST',
      path,
      { subject: person.id, password: 'the newer one of them' },
      'provisioning',
    );
    const wrong = numbered(
      service.directory.changed(tenant, other.id, 'user.updated', { ticket: body.ticket as string }),
    );
    await service.directory.send([wrong]);
    await eventually(() => isHandled([wrong]));
    expect(
      (await signIn(service.browser(), client, 'nina', { password: 'the newer one of them' })).status,
    ).toBe(401);
    const right = numbered(
      service.directory.changed(tenant, person.id, 'user.updated', { ticket: body.ticket as string }),
    );
    await service.directory.send([right]);
    await eventually(() => isHandled([right]));
    expect(
      (await signIn(service.browser(), client, 'nina', { password: 'the newer one of them' })).status,
    ).toBe(303);
    expect((await signIn(service.browser(), client, 'nina', { password })).status).toBe(401);
  });

  test('Staged passwords of an administrator are rejected, because provisioning must not give administrator rights.', async () => {
    const { person } = await signedIn('petra');
    const role = { subject: person.id, role: 'tenant_admin' };
    expect((await service.internal('POST', `/tenants/${tenant}/roles`, role, 'operator')).status).toBe(204);
    const stage = (as: 'provisioning' | 'operator', more = {}) =>
      service.internal(
        'POST',
        `/tenants/${tenant}/credentials`,
        { subject: person.id, password: 'mine now, and long', ...more },
        as,
      );
    const refused = await stage('provisioning');
    expect([refused.status, refused.body.error]).toEqual([403, 'forbidden']);
    // As a previous release sent it, and from a caller who may assign other roles.
    for (const less of [
      { administrators: true },
      { roleScopes: 'roles:write' },
      { roleScopes: ['roles:write'] },
    ])
      expect((await stage('provisioning', less)).status).toBe(403);
    expect((await stage('provisioning', { roleScopes: Object.keys(apiScopes) })).status).toBe(201);
    expect((await stage('operator')).status).toBe(201);
  });

  test.each([
    ['a subject that is no id', { subject: 'x', password: 'y' }],
    ['no password', { subject: crypto.randomUUID() }],
    ['a password that is no text', { subject: crypto.randomUUID(), password: 7 }],
    ['an endless password', { subject: crypto.randomUUID(), password: 'x'.repeat(1_025) }],
    ['a list', []],
    ['a text', 'text'],
  ])('A request to stage a password is rejected for invalid input: %s.', async (_name, body) => {
    expect(
      (await service.internal('POST', `/tenants/${tenant}/credentials`, body, 'provisioning')).status,
    ).toBe(400);
  });

  test('Passwords are staged only for tenants that exist, and by services that are permitted to.', async () => {
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
