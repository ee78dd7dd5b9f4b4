import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { Authenticator, passkeyOptions } from '../../support/sign-in/authenticator.ts';
import { hiddenFields } from '../../support/sign-in/browser.ts';
import { epochOf, isHandled, numbered, scope, signedIn } from '../../support/sign-in/departing.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { chosen, invitationPath, linkFor } from '../../support/sign-in/recovering.ts';
import {
  accountPath,
  addPasskey,
  appCode,
  laterStep,
  openAccount,
  setUpApp,
  shownCodes,
} from '../../support/sign-in/second-step.ts';
import {
  authorizeUrl,
  password,
  redeem,
  signIn,
  signInAndAllow,
  tenant,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

setUpOneClient();

const replacement = 'another one, set by somebody else';

const stage = async (subject: string, text: string): Promise<string> => {
  const staged = await service.internal(
    'POST',
    `/tenants/${tenant}/credentials`,
    { subject, password: text },
    'provisioning',
  );
  return staged.body.ticket as string;
};
const activate = (ticket: string) =>
  service.internal('POST', `/tenants/${tenant}/credentials/${ticket}/activate`, undefined, 'provisioning');
const replacePassword = async (subject: string, text = replacement) => activate(await stage(subject, text));

/** Returns the number of live sessions and grants of a user. */
async function alive(subjectId: string): Promise<number> {
  const { rows } = await service.deps.database.sql.query<{ live: number }>(
    `SELECT (SELECT count(*) FROM auth.sessions WHERE subject_id = $1 AND revoked_at IS NULL)::int
          + (SELECT count(*) FROM auth.grants WHERE subject_id = $1 AND revoked_at IS NULL)::int AS live`,
    [subjectId],
  );
  return rows[0]?.live ?? -1;
}

const deactivate = async (id: string, epoch = 1): Promise<void> => {
  await service.directory.change(tenant, id, 'user.deactivated');
  await eventually(async () => (await epochOf(id)) === epoch);
};

const compromised = (subjectId: string) =>
  service.deps.invitations.invite(tenant, {
    subjectId,
    lifetimeSeconds: 600,
    carriedRoles: null,
    resets: true,
    compromised: true,
    mayOpen: () => true,
  });

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('concurrent sign-ins', () => {
  const attempt = (userName: string) =>
    service.deps.login.signIn({ tenant, userName, password, address: '127.0.0.1' });
  const start = (result: Awaited<ReturnType<typeof attempt>>) => {
    if (result.outcome !== 'accepted') throw new Error(result.outcome);
    const { subject, proof, carriedRoles } = result;
    const proven = { subjectId: subject.id, amr: ['pwd'], carriedRoles, proof };
    const signIn = { ...proven, userAgent: undefined, ipAddress: undefined };
    return service.deps.sessions.start(tenant, signIn, undefined);
  };

  test.each([
    ['the password was replaced after it had been checked', (id: string) => replacePassword(id)],
    ['everything was ended', (id: string) => service.deps.subjects.signOutEverywhere(tenant, id)],
    ['access was reset, because it was compromised', (id: string) => compromised(id)],
    [
      'the person left and came back',
      async (id: string) => {
        await deactivate(id);
        await service.directory.change(tenant, id, 'user.reactivated');
        await eventually(async () => (await service.deps.subjects.find(tenant, id))?.active === true);
      },
    ],
  ])('No session starts from an earlier sign-in attempt when %s.', async (name, overtake) => {
    const person = await service.person(`overtaken-${name.length}`);
    const result = await attempt(person.userName);
    await overtake(person.id);
    expect(await start(result)).toBeUndefined();
    expect(await alive(person.id)).toBe(0);
  });

  test('Sign-ins with the old password leave no session or grant when the password is replaced concurrently.', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await service.person(`replaced-${round}`);
      const ticket = await stage(person.id, replacement);
      const attempts = Array.from({ length: 6 }, () => signIn(service.browser(), client, person.userName));
      await pause(round * 12);
      await activate(ticket);
      await Promise.all(attempts);
      expect(await alive(person.id)).toBe(0);
      expect(
        (await signIn(service.browser(), client, person.userName, { password: replacement })).status,
      ).toBe(303);
    }
  });

  test('Sign-ins by passkey leave no session or grant when all passkeys are deleted concurrently.', async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await service.person(`keyed-${round}`);
      const authenticator = new Authenticator();
      await addPasskey(service.browser(), person.userName, authenticator);
      const sendings = await Promise.all(
        Array.from({ length: 4 }, async () => {
          const browser = service.browser();
          const page = await browser.follow(await browser.get(authorizeUrl(client)));
          const { i = '', csrf = '' } = hiddenFields(page);
          const credential = authenticator.get(passkeyOptions(page));
          return () => browser.post(`/t/${tenant}/login/passkey`, { i, csrf, credential });
        }),
      );
      const sent = sendings.map((send) => send());
      await pause(round * 8);
      await compromised(person.id);
      await Promise.all(sent);
      expect(await alive(person.id)).toBe(0);
    }
  });

  test('A sign-in at its second factor leaves no session or grant after an offboarding, nor after a reactivation.', async () => {
    for (let round = 0; round < 3; round += 1) {
      const person = await service.person(`second-${round}`);
      const { secret } = await setUpApp(service, service.browser(), person.userName);
      const atSecondStep = async () => {
        const browser = service.browser();
        return { browser, page: await signIn(browser, client, person.userName) };
      };
      const waiting = await atSecondStep();
      const browsers = [await atSecondStep(), await atSecondStep()];
      const sent = browsers.map(({ browser, page }) => browser.submit(page, { code: appCode(secret) }));
      await pause(round * 6);
      await deactivate(person.id);
      await Promise.all(sent);
      expect(await alive(person.id)).toBe(0);
      await service.directory.change(tenant, person.id, 'user.reactivated');
      await eventually(async () => (await service.deps.subjects.find(tenant, person.id))?.active === true);
      await laterStep(service);
      await waiting.browser.submit(waiting.page, { code: appCode(secret) });
      expect(await alive(person.id)).toBe(0);
    }
  });
});

describe('links during an offboarding', () => {
  test('An invitation accepted during an offboarding starts no session, and its link is invalid afterwards.', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id } = service.directory.addUser(tenant, `invitee-${round}`);
      const link = await linkFor(id);
      const visits = await Promise.all(
        Array.from({ length: 3 }, async () => {
          const browser = service.browser();
          return { browser, page: await browser.get(link) };
        }),
      );
      const sent = visits.map(({ browser, page }) =>
        browser.submit(page, { password: chosen, repeated: chosen }),
      );
      await pause(round * 6);
      await deactivate(id);
      await Promise.all(sent);
      expect(await alive(id)).toBe(0);
      expect((await service.browser().get(link)).status).toBe(410);
    }
  });

  test('A recovery code used during an offboarding gives a link that is invalid afterwards.', async () => {
    for (let round = 0; round < 3; round += 1) {
      const userName = `recoverer-${round}`;
      const { id } = service.directory.addUser(tenant, userName);
      const authenticator = new Authenticator();
      const first = service.browser();
      const page = await first.get(await linkFor(id));
      const credential = authenticator.create(passkeyOptions(page));
      const [code = ''] = shownCodes(
        await first.follow(await first.post(invitationPath, { ...hiddenFields(page), credential })),
      );
      const browser = service.browser();
      const login = await browser.follow(await browser.get(authorizeUrl(client)));
      const form = await browser.get(`/t/${tenant}/login/recover?i=${hiddenFields(login).i}`);
      const sent = browser.submit(form, { username: userName, code });
      await pause(round * 4);
      await deactivate(id);
      const { location } = await sent;
      if (location) expect((await browser.get(location)).status).toBe(410);
      expect(await alive(id)).toBe(0);
    }
  });
});

describe('withdrawn consent', () => {
  /** In a browser that is already signed in. */
  const again = { scope, prompt: 'login' };

  test('A code redeemed while consent is withdrawn gives nothing that outlives the withdrawal.', async () => {
    const consenting = await service.client();
    for (let round = 0; round < 8; round += 1) {
      const person = await service.person(`hesitant-${round}`);
      const browser = service.browser();
      const codes = [];
      for (let count = 0; count < 3; count += 1) {
        codes.push(await signInAndAllow(browser, consenting, person.userName, again));
      }
      const redeemed = codes.map((code) => redeem(service, consenting, code));
      await pause(round);
      await service.deps.account.withdraw(tenant, person.id, consenting.clientId);
      for (const { body } of await Promise.all(redeemed)) {
        if (body.access_token) expect(await userinfoStatus(service, body.access_token)).toBe(401);
      }
      const grants = await service.deps.grants.listBySubjects(tenant, [person.id]);
      expect(grants).toEqual([]);
    }
  });

  test('After a withdrawal the old code stays invalid; a code after new consent and codes of other apps are valid.', async () => {
    const [first, second] = [await service.client(), await service.client()];
    const person = await service.person('fickle');
    const browser = service.browser();
    const old = await signInAndAllow(browser, first, person.userName, { scope });
    const other = await signInAndAllow(browser, second, person.userName, again);
    await service.deps.account.withdraw(tenant, person.id, first.clientId);
    const anew = await signInAndAllow(browser, first, person.userName, again);
    expect((await redeem(service, first, old)).body.error).toBe('invalid_grant');
    expect((await redeem(service, first, anew)).status).toBe(200);
    expect((await redeem(service, second, other)).status).toBe(200);
  });

  test('Access of an app without consent is withdrawn as well, and an unknown app leaves no record.', async () => {
    const person = await service.person('plain');
    const code = await signInAndAllow(service.browser(), client, person.userName, { scope });
    await service.deps.account.withdraw(tenant, person.id, client.clientId);
    await service.deps.account.withdraw(tenant, person.id, 'no-such-client');
    expect((await redeem(service, client, code)).body.error).toBe('invalid_grant');
    const subject = await service.deps.subjects.find(tenant, person.id);
    expect(subject?.withdrawals).toEqual({ [client.clientId]: 1 });
  });
});

describe('passwords from provisioning', () => {
  let person: Awaited<ReturnType<typeof signedIn>>;
  const refresh = async () => {
    const form = { grant_type: 'refresh_token', refresh_token: person.tokens.refresh_token ?? '' };
    const { status, body } = await token(service, client, form);
    if (body.refresh_token !== undefined) person.tokens.refresh_token = body.refresh_token;
    return status;
  };

  beforeAll(async () => {
    person = await signedIn('synced');
  });

  test('An unchanged password from provisioning ends nothing, however often it is sent.', async () => {
    for (let count = 0; count < 2; count += 1) await replacePassword(person.person.id, password);
    expect(await userinfoStatus(service, person.tokens.access_token ?? '')).toBe(200);
    expect(await refresh()).toBe(200);
    expect((await openAccount(person.browser, 'synced')).url).toBe(accountPath);
  });

  test('A changed password ends sessions, refresh and access tokens and a pending link, but not API tokens.', async () => {
    const subject = await service.deps.subjects.find(tenant, person.person.id);
    if (!subject) throw new Error('nobody');
    const { token: script } = await service.deps.apiTokens.createPersonal(tenant, subject, {
      name: 'script',
    });
    const link = await linkFor(person.person.id, { resets: true });
    expect((await service.browser().get(link)).status).toBe(200);
    await replacePassword(person.person.id);
    expect(await userinfoStatus(service, person.tokens.access_token ?? '')).toBe(401);
    expect(await refresh()).toBe(400);
    expect(await alive(person.person.id)).toBe(0);
    expect((await service.browser().get(link)).status).toBe(410);
    expect(await userinfoStatus(service, script)).toBe(200);
  });

  test('A password whose event arrives after a newer one ends nothing.', async () => {
    const { id } = await service.person('late-event');
    const [older, newer] = [await stage(id, 'the older one'), await stage(id, 'the newer one')];
    await activate(newer);
    const browser = service.browser();
    await signIn(browser, client, 'late-event', { password: 'the newer one' });
    const before = await alive(id);
    expect(before).toBeGreaterThan(0);
    const event = numbered(service.directory.changed(tenant, id, 'user.updated', { ticket: older }));
    await service.directory.send([event]);
    await eventually(() => isHandled([event]));
    expect(await alive(id)).toBe(before);
  });
});
