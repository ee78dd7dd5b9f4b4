import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import {
  answered,
  app,
  invalidGrant,
  outcome,
  service,
  setUpAttackedService,
  signedIn,
} from '../../support/sign-in/attacked-service.ts';
import { waitingAnew } from '../../support/sign-in/attempts.ts';
import {
  authorizeUrl,
  password,
  signIn,
  tenant,
  token,
  userinfoStatus,
} from '../../support/sign-in/service.ts';

// Known vulnerabilities of other products, tested over HTTP.

setUpAttackedService();

describe('users', () => {
  test('A disabled user, or an app for that user, never refreshes or signs in (CVE-2023-22492, CVE-2025-64521).', async () => {
    const { id } = await service.person('leaver');
    const { tokens, browser } = await signedIn('leaver');
    await service.directory.change(tenant, id, 'user.deactivated');
    await eventually(async () => (await userinfoStatus(service, tokens.access_token ?? '')) === 401);
    const form = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token ?? '' };
    expect(outcome(await token(service, app, form))).toEqual(invalidGrant);
    expect(answered((await browser.get(authorizeUrl(app, { prompt: 'none' }))).location).get('error')).toBe(
      'login_required',
    );
    expect((await signIn(service.browser(), app, 'leaver')).status).toBe(401);
  });

  test('Parallel guesses never exceed the limit, and then even the correct password is rejected (GHSA-7h8m-vrxx-vr4m).', async () => {
    await service.person('guessed');
    const pages = await Promise.all(
      Array.from({ length: 25 }, async () => {
        const browser = service.browser();
        return { browser, page: await browser.follow(await browser.get(authorizeUrl(app))) };
      }),
    );
    const spelt = ['guessed', 'GUESSED', 'Guessed'];
    const answers = await Promise.all(
      pages.map(({ browser, page }, index) =>
        browser.submit(page, {
          username: spelt[index % 3] ?? '',
          password: `wrong ${index}`,
          action: 'sign-in',
        }),
      ),
    );
    const statuses = answers.map((answer) => answer.status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(15);
    await waitingAnew(service);
    expect((await signIn(service.browser(), app, 'guessed')).status).toBe(429);
  });

  test('Two passwords with equal first 72 bytes are never treated as the same (bcrypt).', async () => {
    const person = service.directory.addUser(tenant, 'long');
    const begin = 'äöüëïÿéèêáàâñçøåõû'.repeat(2);
    const staged = await service.internal('POST', `/tenants/${tenant}/credentials`, {
      subject: person.id,
      password: `${begin}right`,
    });
    await service.internal('POST', `/tenants/${tenant}/credentials/${staged.body.ticket}/activate`);
    for (const wrong of [`${begin}wrong`, begin, `${begin}right\0`, `${begin}rightx`])
      expect((await signIn(service.browser(), app, 'long', { password: wrong })).location).toBeUndefined();
    expect((await signIn(service.browser(), app, 'long', { password: `${begin}right` })).location).toContain(
      'code=',
    );
  });

  test('A form with a password is never answered with 307 or 308 (RFC 9700 §4.12).', async () => {
    const browser = service.browser();
    const page = await browser.follow(await browser.get(authorizeUrl(app)));
    const done = await browser.submit(page, { username: 'alice', password, action: 'sign-in' });
    expect(done.status).toBe(303);
    const posted = await browser.post(`/t/${tenant}/authorize`, authorizeUrl(app).split('?')[1] ?? '');
    expect(posted.status).toBe(303);
    const slashed = await browser.post(`/t/${tenant}/token/`, 'client_secret=x');
    expect(slashed.status).toBe(404);
  });
});
