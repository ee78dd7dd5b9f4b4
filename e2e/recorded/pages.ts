import { authorizationUrl, post } from '../departure/scene.ts';
import { Browser, type Page } from '../support/browser.ts';
import { discover, walk } from '../support/sign-in.ts';
import type { World } from './world.ts';

/** Actions of users on their account pages: action, user, resource type. */
export const pageActions = [
  ['session.started', 'bob', 'Session'],
  ['session.renewed', 'bob', 'Session'],
  ['user.app_allowed', 'bob', 'Client'],
  ['user.app_withdrawn', 'bob', 'Client'],
  ['user.access_reset', 'bob', 'User'],
  ['user.password_changed', 'bob', 'User'],
  ['user.other_sessions_ended', 'bob', 'User'],
  ['user.invitation_accepted', 'invitee', 'User'],
  ['user.totp_added', 'carol', 'User'],
  ['user.recovery_codes_renewed', 'carol', 'User'],
  ['user.passkey_added', 'carol', 'User'],
] as const;

const done = (page: Page, what: string): void => {
  if (!page.url.pathname.endsWith('/account'))
    throw new Error(`${what}: ${page.status} ${page.url} ${page.root.text.trim().slice(0, 200)}`);
};

/** Follows the links that rows created: bob resets his access and uses his account pages, the invitee accepts. */
export async function visitPages({ demo, tenant, the }: World): Promise<void> {
  const password = 'correct horse battery staple of the page';
  const invitee = new Browser(demo.origin);
  done(
    await invitee.submit(await invitee.open(the.get('invitation')), { password, repeated: password }),
    'accepting the invitation',
  );
  const browser = new Browser(demo.origin);
  done(
    await browser.submit(await browser.open(the.get('resetLink')), { password, repeated: password }),
    'resetting access',
  );
  const user = { userName: the.get('bobsName'), password };
  const config = await discover(tenant, tenant.clients.web.client_id);
  // Signs in again in the same browser, and in another one.
  const again = await authorizationUrl(config, { prompt: 'login' });
  await walk(browser, again.address, user);
  await walk(new Browser(demo.origin), (await authorizationUrl(config)).address, user);
  const next = `${password}, another`;
  const form = await browser.open(`${tenant.issuer}/account/password`);
  done(
    await browser.submit(form, { present: password, password: next, repeated: next }),
    'changing the password',
  );
  await walk(new Browser(demo.origin), (await authorizationUrl(config)).address, { ...user, password: next });
  const account = await browser.open(`${tenant.issuer}/account`);
  const csrf = account.root.querySelector('input[name=csrf]')?.getAttribute('value') ?? '';
  const send = async (path: string, values: Record<string, string>): Promise<void> =>
    done(
      await post(
        browser,
        new URL(`${tenant.issuer}/account/${path}`),
        new URLSearchParams({ csrf, ...values }),
      ),
      path,
    );
  await send('sessions/end-others', {});
  await send('apps/withdraw', { client: tenant.clients.web.client_id });
}
