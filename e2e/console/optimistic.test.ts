import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchChromium, why } from '../browser/chromium.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { ScimClient } from '../support/scim.ts';
import { signIn as signInToApp } from '../support/sign-in.ts';
import { openConsole } from './console-page.ts';

if (chromiumPath === undefined) process.stderr.write(`e2e/console: skipped. ${why}\n`);
const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('optimistic changes in the console', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  /**
   * Opens a user with one session and starts to end it. The response is held until `answer` is called: with undefined
   * for the real one.
   */
  async function endSession() {
    if (demo === undefined) throw new Error(why);
    const tenant = demo.tenants.demo;
    const user = { userName: unique('session'), password: 'eight careful storks on the tower' };
    const { id } = await new ScimClient(tenant, tenant.clients.scim.token).createUser(user);
    const { tokens } = await signInToApp(demo, tenant, user);
    const opened = await openConsole(browser, demo, { path: `users/${id}` });
    const { page } = opened;
    const held = Promise.withResolvers<object | undefined>();
    await page.route('**/graphql', async (route, request) => {
      if (!request.postData()?.includes('"CloseSession"')) return route.fallback();
      const json = await held.promise;
      return json === undefined ? route.continue() : route.fulfill({ json });
    });
    const sessions = page.getByRole('button', { name: /^Sign out: / });
    await sessions.waitFor();
    await sessions.click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByText('No active sessions.').waitFor();
    const userinfo = async () =>
      (
        await fetch(`${tenant.issuer}/userinfo`, {
          headers: { authorization: `Bearer ${tokens.access_token}` },
        })
      ).status;
    return { ...opened, sessions, userinfo, answer: held.resolve };
  }

  test('A session disappears before the server responds, and stays away after the response.', async () => {
    const { page, context, sessions, userinfo, answer, complaints } = await endSession();
    // The request is still held, so nothing is revoked yet.
    expect(await userinfo()).toBe(200);
    const response = page.waitForResponse(
      (one) => one.request().postData()?.includes('"CloseSession"') === true,
    );
    answer(undefined);
    await response;
    await page.reload();
    await page.getByText('No active sessions.').waitFor();
    expect(await sessions.count()).toBe(0);
    expect(await userinfo()).toBe(401);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test.each([
    [
      'with a problem',
      {
        data: {
          revokeSession: {
            __typename: 'RevokeSessionPayload',
            id: null,
            problems: [
              { __typename: 'NotFound', code: 'NOT_FOUND', message: 'Not changed.', path: ['input', 'id'] },
            ],
          },
        },
      },
      'Not changed.',
    ],
    [
      'with an error',
      { data: { revokeSession: null }, errors: [{ message: 'Denied.', extensions: { code: 'FORBIDDEN' } }] },
      'You don’t have the required permission',
    ],
  ])(
    'A session that the server refuses to end %s appears again, with the reason.',
    async (_how, json, reason) => {
      const { page, context, sessions, userinfo, answer, complaints } = await endSession();
      expect(await sessions.count()).toBe(0);
      answer(json);
      await sessions.waitFor();
      await page.getByText(reason).first().waitFor();
      expect(await userinfo()).toBe(200);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );
});
