import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { Authenticator, passkeyOptions } from '../../support/sign-in/authenticator.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import {
  accountPath,
  addPasskey,
  appCode,
  laterStep,
  openAccount,
  setUpApp,
} from '../../support/sign-in/second-step.ts';
import { authorizeUrl, password, signIn, tenant } from '../../support/sign-in/service.ts';
import { atSecondStep, fieldsOf, silent, withApp } from '../../support/sign-in/with-second-factor.ts';

setUpOneClient();

describe('a pending second step ends', () => {
  async function endedBy(userName: string, what: (id: string) => Promise<unknown>): Promise<void> {
    const { person, secret, codes } = await withApp(userName);
    const { browser, page } = await atSecondStep(userName);
    await what(person.id);
    for (const code of [appCode(secret), codes[0] ?? '']) {
      const answer = await browser.submit(page, { code, action: 'continue' });
      expect(answer.location ?? '').not.toContain('code=');
      expect(answer.headers.getSetCookie().join()).not.toContain(`__Host-ostiary-${tenant}=`);
    }
    expect(await silent(browser)).toBe('login_required');
  }

  test('A pending second step ends when its user is offboarded, and stays ended when the user returns.', async () => {
    await endedBy('gone-anna', async (id) => {
      await service.directory.change(tenant, id, 'user.deactivated');
      await eventually(async () => (await service.deps.subjects.find(tenant, id))?.active === false);
      await service.directory.change(tenant, id, 'user.reactivated');
      await eventually(async () => (await service.deps.subjects.find(tenant, id))?.active === true);
    });
  });

  test('A pending second step ends when the user gets a new password.', async () => {
    await endedBy('gone-password', async (subject) => {
      const staged = await service.internal('POST', `/tenants/${tenant}/credentials`, {
        subject,
        password: 'another password altogether',
      });
      await service.internal('POST', `/tenants/${tenant}/credentials/${staged.body.ticket}/activate`);
    });
  });

  test('A pending second step ends when everything of the user is revoked.', async () => {
    await endedBy('gone-everywhere', (id) => service.deps.subjects.signOutEverywhere(tenant, id));
  });
});

test('A deactivated user cannot sign in with a passkey, app or recovery code; a deleted user leaves none of these.', async () => {
  const { person } = await withApp('left-anna');
  const authenticator = new Authenticator();
  const { sql } = service.deps.database;
  const browser = service.browser();
  const step = await openAccount(browser, 'left-anna', '/passkeys');
  expect(step.text).toContain('Verify your identity');
  await laterStep(service);
  await sql.query('DELETE FROM auth.totp_factors WHERE subject_id = $1', [person.id]);
  const fresh = service.browser();
  await addPasskey(fresh, 'left-anna', authenticator);
  await service.directory.change(tenant, person.id, 'user.deactivated');
  await eventually(async () => (await service.deps.subjects.find(tenant, person.id))?.active === false);
  const visitor = service.browser();
  const login = await visitor.follow(await visitor.get(authorizeUrl(client)));
  const credential = authenticator.get(passkeyOptions(login));
  const refused = await visitor.post(`/t/${tenant}/login/passkey`, { ...fieldsOf(login), credential });
  expect(refused.status).toBe(401);
  expect((await signIn(service.browser(), client, 'left-anna')).status).toBe(401);

  await service.directory.change(tenant, person.id, 'user.deleted');
  await eventually(async () => {
    const { rows } = await sql.query<{ left: number }>(
      `SELECT (SELECT count(*) FROM auth.passkeys WHERE subject_id = $1)::int
            + (SELECT count(*) FROM auth.recovery_codes WHERE subject_id = $1)::int AS left`,
      [person.id],
    );
    return rows[0]?.left === 0;
  });
});

test('A session from before the second factor cannot remove the second factor.', async () => {
  await service.person('old-session');
  const old = service.browser();
  const account = await openAccount(old, 'old-session');
  await setUpApp(service, service.browser(), 'old-session');
  const csrf = /name="csrf" value="([^"]+)"/.exec(account.text)?.[1] ?? '';
  const removed = await old.post(`${accountPath}/totp/remove`, { csrf });
  expect(removed.location).toMatch(/\/login\?i=/);
  const login = await signIn(service.browser(), client, 'old-session', { password });
  expect(login.text).toContain('Verify your identity');
});
