import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import pg from 'pg';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, launchChromium, why } from '../browser/chromium.ts';
import { unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { type OwnSystem, ownSystem } from '../support/own-system.ts';
import { groupSchema, ScimClient } from '../support/scim.ts';
import { adminToken, signIn as signInToApp } from '../support/sign-in.ts';
import { openConsole } from './console-page.ts';

if (chromiumPath === undefined) process.stderr.write(`e2e/console: skipped. ${why}\n`);
const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

/** The tests write to the database what time or an error would cause. */
describeInBrowser('Pages of the console with old and invalid data', () => {
  let own: OwnSystem;
  let browser: Browser;
  let database: pg.Client;
  beforeAll(async () => {
    [own, browser] = await Promise.all([ownSystem({ fresh: true }), launchChromium()]);
    database = new pg.Client({ connectionString: own.system.databaseUrl });
    await database.connect();
  });
  afterAll(async () => {
    await browser?.close();
    await database?.end();
    await own?.stop({ unsound: true });
  });

  const scim = () => {
    const tenant = own.demo.tenants.demo;
    return new ScimClient(tenant, tenant.clients.scim.token);
  };

  async function create(prefix: string) {
    const user = { userName: unique(prefix), password: 'seven patient owls on the roof' };
    const { id } = await scim().createUser({ ...user, displayName: user.userName });
    return { id, user };
  }

  const deactivate = (id: string) =>
    scim().patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: false }]);

  test('The page of a role names each user with the reason, also when the security log no longer contains the assignment.', async () => {
    const [direct, member] = [await create('auditor'), await create('member')];
    const displayName = unique('auditors');
    const members = [{ value: member.id }, { value: direct.id }];
    const created = await scim().call('POST', '/Groups', { schemas: [groupSchema], displayName, members });
    const token = await adminToken(own.demo.tenants.demo);
    const { errors } = await graph(
      own.demo,
      token,
      `mutation ($user: RoleInput!, $group: AssignGroupRoleInput!) {
        assignRole(input: $user) { problems { message } } assignGroupRole(input: $group) { problems { message } } }`,
      {
        user: { userId: direct.id, role: 'AUDITOR' },
        group: { groupId: created.body.id, role: 'AUDITOR', managedBySources: false },
      },
    );
    expect(errors).toEqual([]);
    await eventually(
      () => graph(own.demo, token, 'query ($id: ID!) { user(id: $id) { roles } }', { id: member.id }),
      ({ data }) => data.user?.roles?.includes('AUDITOR') === true,
    );
    await database.query("DELETE FROM auth.security_log WHERE action LIKE '%.role_assigned'");
    const { page, context, complaints } = await openConsole(browser, own.demo, {
      path: 'roles?role=AUDITOR',
    });
    const row = (name: string) =>
      page.getByRole('listitem').filter({ has: page.getByRole('link', { name }) });
    await row(direct.user.userName).getByText('assigned directly').first().waitFor();
    await row(direct.user.userName).getByRole('link', { name: displayName }).first().waitFor();
    await row(member.user.userName).getByText('through the group').first().waitFor();
    expect(await row(member.user.userName).getByText('assigned directly').count()).toBe(0);
    const groups = page.locator('.card').filter({ hasText: 'Groups with this role' });
    await groups.getByRole('link', { name: displayName }).waitFor();
    await page.getByRole('link', { name: member.user.userName }).click();
    await page.waitForURL(`**/users/${member.id}**`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  /** Returns the figure of access that offboarded users still have. */
  const figure = (page: Page) =>
    page.locator('.figure').filter({ hasText: 'Remaining access of offboarded users' });

  test('An open session of an offboarded user makes the figure on the overview red, and names the user below it.', async () => {
    const { id, user } = await create('leaver');
    await signInToApp(own.demo, own.demo.tenants.demo, user);
    const { page, context, complaints } = await openConsole(browser, own.demo);
    await deactivate(id);
    const row = page.getByRole('listitem').filter({ hasText: user.userName });
    await row.getByText('0 open').waitFor();
    expect(await figure(page).getAttribute('data-tone')).not.toBe('bad');
    await database.query(
      "UPDATE auth.sessions SET revoked_at = NULL, expires_at = now() + interval '1 hour' WHERE subject_id = $1",
      [id],
    );
    await page.reload();
    await row.getByText('1 open').waitFor();
    expect(await figure(page).getAttribute('data-tone')).toBe('bad');
    expect(await figure(page).locator('strong').textContent()).toBe('1');
    await page.getByRole('link', { name: '1 access path of an offboarded user is open' }).click();
    await page.waitForURL(`**/users/${id}**`);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('Zero is not green and the figure states its coverage when there are more offboarded users than were checked.', async () => {
    for (let count = 0; count < 11; count += 1) await deactivate((await create('gone')).id);
    const { page, context } = await openConsole(browser, own.demo);
    await eventually(
      async () => {
        await page.reload();
        await figure(page)
          .getByText('last 10 offboarded users, checked now; earlier ones are not checked')
          .waitFor();
        return figure(page).locator('strong').textContent();
      },
      (shown) => shown === '0',
    );
    expect(await figure(page).getAttribute('data-tone')).toBeNull();
    await context.close();
  });
});
