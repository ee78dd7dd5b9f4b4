import { beforeAll, describe, expect, test } from '@jest/globals';
import { Authenticator, passkeyOptions } from '../../support/sign-in/authenticator.ts';
import type { Answer } from '../../support/sign-in/browser.ts';
import { client, service, setUpOneClient } from '../../support/sign-in/one-client.ts';
import { addPasskey, moved, openAccount, startTwin } from '../../support/sign-in/second-step.ts';
import { authorizeUrl, rival, tenant } from '../../support/sign-in/service.ts';
import { atSecondStep, claimsOf, fieldsOf, silent } from '../../support/sign-in/with-second-factor.ts';

setUpOneClient();

describe('a passkey', () => {
  test('A passkey is added and then signs in alone, as two factors that resist phishing.', async () => {
    await service.person('key-anna');
    const authenticator = new Authenticator();
    const codes = await addPasskey(service.browser(), 'key-anna', authenticator);
    expect(codes.text).toContain('Your recovery codes');
    const browser = service.browser();
    const login = await browser.follow(await browser.get(authorizeUrl(client)));
    const credential = authenticator.get(passkeyOptions(login));
    const done = await browser.post(`/t/${tenant}/login/passkey`, { ...fieldsOf(login), credential });
    expect(await claimsOf(done.location)).toMatchObject({ amr: ['hwk', 'user', 'mfa'], acr: 'phr' });
  });

  test('A passkey is the second factor after a password.', async () => {
    await service.person('key-second');
    const authenticator = new Authenticator();
    await addPasskey(service.browser(), 'key-second', authenticator);
    authenticator.userVerified = false;
    const { browser, page } = await atSecondStep('key-second');
    const done = await browser.submit(page, { credential: authenticator.get(passkeyOptions(page)) });
    expect(await claimsOf(done.location)).toMatchObject({ amr: ['pwd', 'hwk', 'user', 'mfa'], acr: 'phr' });
  });

  describe('rejections', () => {
    let authenticator: Authenticator;
    beforeAll(async () => {
      await service.person('key-bad');
      authenticator = new Authenticator();
      await addPasskey(service.browser(), 'key-bad', authenticator);
    });

    async function tried(
      answer: (login: Answer) => string,
      o: { origin?: string; userVerified?: boolean } = {},
    ): Promise<number> {
      const browser = service.browser();
      const login = await browser.follow(await browser.get(authorizeUrl(client)));
      Object.assign(authenticator, o);
      const credential = answer(login);
      Object.assign(authenticator, { origin: 'http://localhost:4000', userVerified: true });
      const { status } = await browser.post(`/t/${tenant}/login/passkey`, { ...fieldsOf(login), credential });
      expect(await silent(browser)).toBe('login_required');
      return status;
    }
    const honest = (login: Answer): string => authenticator.get(passkeyOptions(login));

    test('A passkey response from another origin is rejected.', async () => {
      expect(await tried(honest, { origin: 'https://evil.example' })).toBe(401);
    });

    test('A passkey alone is rejected when the authenticator did not verify the user.', async () => {
      expect(await tried(honest, { userVerified: false })).toBe(401);
    });

    test('A passkey response with the challenge of another page is rejected.', async () => {
      const other = service.browser();
      const theirs = await other.follow(await other.get(authorizeUrl(client)));
      expect(await tried(() => honest(theirs))).toBe(401);
    });

    test('A passkey response with an invented challenge is rejected.', async () => {
      expect(await tried(() => authenticator.get({ challenge: 'AAAA', rpId: 'localhost' }))).toBe(401);
    });

    test('A passkey response that is signed with another key is rejected.', async () => {
      const forged = new Authenticator();
      Object.assign(forged, { id: authenticator.id });
      expect(await tried((login) => forged.get(passkeyOptions(login)))).toBe(401);
    });

    test('A passkey that was never registered is rejected.', async () => {
      expect(await tried((login) => new Authenticator().get(passkeyOptions(login)))).toBe(401);
    });

    test('A malformed passkey response is rejected.', async () => {
      for (const text of ['', 'null', '[]', '{}', '{"id":"__proto__","response":{}}', '{'.repeat(20_000)]) {
        expect(await tried(() => text)).toBe(401);
      }
    });

    test('A passkey whose counter decreased is rejected as a possible clone.', async () => {
      authenticator.counter = 9;
      const browser = service.browser();
      const login = await browser.follow(await browser.get(authorizeUrl(client)));
      const first = await browser.post(`/t/${tenant}/login/passkey`, {
        ...fieldsOf(login),
        credential: honest(login),
      });
      expect(first.location).toMatch(/\?code=/);
      authenticator.counter = 8;
      expect(await tried(honest)).toBe(401);
      authenticator.counter = 20;
    });

    test('A passkey is rejected at the rival tenant, and at the second step of another user.', async () => {
      const theirs = await service.client({}, rival);
      const browser = service.browser();
      const login = await browser.follow(await browser.get(authorizeUrl(theirs)));
      const answer = await browser.post(`/t/${rival}/login/passkey`, {
        ...fieldsOf(login),
        credential: honest(login),
      });
      expect(answer.status).toBe(401);

      await service.person('key-victim');
      await addPasskey(service.browser(), 'key-victim', new Authenticator());
      const step = await atSecondStep('key-victim');
      const stolen = await step.browser.submit(step.page, { credential: honest(step.page) });
      expect(stolen.status).toBe(401);
    });
  });

  test('One passkey response in ten parallel forms across two processes counts once.', async () => {
    await service.person('key-race');
    const authenticator = new Authenticator();
    await addPasskey(service.browser(), 'key-race', authenticator);
    const twin = await startTwin(service);
    try {
      const asking = await service.client();
      const browser = service.browser();
      const login = await browser.follow(await browser.get(authorizeUrl(asking)));
      const credential = authenticator.get(passkeyOptions(login));
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          (n % 2 === 0 ? browser.clone() : moved(browser, twin.origin)).post(`/t/${tenant}/login/passkey`, {
            ...fieldsOf(login),
            credential,
          }),
        ),
      );
      expect(answers.filter((answer) => answer.status === 303)).toHaveLength(1);
    } finally {
      await twin.stop();
    }
  });

  test('A passkey can be registered neither twice nor with the response of another page.', async () => {
    await service.person('key-twice');
    const browser = service.browser();
    const authenticator = new Authenticator();
    const page = await openAccount(browser, 'key-twice', '/passkeys');
    const credential = authenticator.create(passkeyOptions(page));
    await browser.submit(page, { credential, name: 'one' });
    expect((await browser.submit(page, { credential, name: 'two' })).status).toBe(400);
    await service.person('key-other');
    const theirs = await openAccount(service.browser(), 'key-other', '/passkeys');
    const foreign = new Authenticator().create(passkeyOptions(theirs));
    expect((await browser.submit(page, { credential: foreign, name: 'x' })).status).toBe(400);
  });
});
