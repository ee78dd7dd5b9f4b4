import { randomInt } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import type { CDPSession, Page } from 'playwright-core';
import type { Demo } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';

/** Password of every invited user. */
export const password = 'quiet rivers run under stone';

export interface Newcomer {
  id: string;
  userName: string;
  /** Invitation link that an administrator requested. */
  link: string;
}

/** Creates and invites a user at the demo's first tenant. */
export async function invited(demo: Demo): Promise<Newcomer> {
  const tenant = demo.tenants.demo;
  const token = await adminToken(tenant);
  // Digits have one width, so the name takes the same space in every picture.
  const userName = `ines.vidal.${randomInt(10_000_000, 100_000_000)}`;
  const { id } = await new ScimClient(tenant, token).createUser({
    userName,
    displayName: 'Ines Vidal',
    active: true,
  });
  return { id, userName, link: await linkFor(demo, 'inviteUser', id) };
}

/** Requests a link for a user: an invitation or an access reset. */
export async function linkFor(
  demo: Demo,
  mutation: 'inviteUser' | 'resetUserAccess',
  id: string,
): Promise<string> {
  const { data, errors } = await graph(
    demo,
    await adminToken(demo.tenants.demo),
    `mutation ($id: ID!) { ${mutation}(input: { userId: $id }) { url } }`,
    { id },
  );
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return data[mutation].url;
}

/** Sets the password through the link. The page is then the account page. */
export async function accept(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.locator('#password').fill(password);
  await page.locator('#repeated').fill(password);
  await page.locator('main form:not(.passkey) button').click();
  await page.waitForURL('**/account');
}

/** Sets up an authenticator app. The page then shows the recovery codes. */
export async function setUpApp(page: Page, account: string): Promise<{ secret: string; used: string }> {
  await page.goto(`${account}/totp`);
  const secret = (await page.locator('code.typed').textContent())?.replaceAll(' ', '') ?? '';
  const used = appCode(secret);
  await page.locator('#code').fill(used);
  await page.locator('main form button').click();
  await page.waitForURL('**/recovery-codes?**');
  return { secret, used };
}

/** Returns the current code of the authenticator app. */
export const appCode = (secret: string): string => new TOTP({ secret: Secret.fromBase32(secret) }).generate();

/** Software authenticator with user verification. */
export interface Device {
  /** Sets whether user verification succeeds. */
  touch(present: boolean): Promise<void>;
  /** Removes the authenticator. */
  lose(): Promise<void>;
}

export async function device(page: Page, o: { verifies?: boolean } = {}): Promise<Device> {
  const devtools: CDPSession = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: o.verifies ?? true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    touch: (enabled) =>
      devtools
        .send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
        .then(() => undefined),
    lose: () =>
      devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }).then(() => undefined),
  };
}
