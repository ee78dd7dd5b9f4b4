import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ostiary } from '@ostiary/verifier';
import type { Browser, Page } from 'playwright-core';
import { chromiumPath, launchChromium, why } from '../browser/chromium.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';
import { openConsole } from './console-page.ts';

if (chromiumPath === undefined) process.stderr.write(`e2e/console: skipped. ${why}\n`);
const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

interface Registered {
  id: string;
  version: number;
  name: string;
  identifier: string;
  scopes: { name: string; descriptions: { language: string; text: string }[] }[];
  roles: { name: string }[];
}

describeInBrowser('APIs in the console', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());
  const here = () => {
    if (demo === undefined) throw new Error(why);
    return demo;
  };
  const asked = async (document: string, variables: object) => {
    const { data, errors } = await graph(
      here(),
      await adminToken(here().tenants.demo),
      document,
      variables as Record<string, unknown>,
    );
    expect(errors).toEqual([]);
    return data;
  };
  const registered = async (id: string): Promise<Registered | null> =>
    (
      await asked(
        `query ($id: ID!) { api(id: $id) {
          id version name identifier scopes { name descriptions { language text } } roles { name } } }`,
        { id },
      )
    ).api;
  const register = async (more: object = {}): Promise<Registered> => {
    const name = unique('orders');
    const { registerApi } = await asked(
      'mutation ($input: RegisterApiInput!) { registerApi(input: $input) { api { id } problems { message } } }',
      { input: { identifier: `https://${name}.example`, name, ...more } },
    );
    expect(registerApi.problems).toEqual([]);
    return (await registered(registerApi.api.id)) as Registered;
  };
  const idOf = (page: Page) => /apis\/([^/?]+)/.exec(page.url())?.[1] ?? '';

  test('An administrator registers an API, and adds a scope and a role with descriptions.', async () => {
    const { page, context, complaints } = await openConsole(browser, here(), { path: 'apis' });
    const name = unique('orders');
    await page.getByRole('button', { name: 'Register API' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Identifier').fill('not a URI');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Token lifetime in seconds').fill('120');
    await dialog.getByRole('button', { name: 'Register API' }).click();
    await dialog.locator('[aria-invalid=true]').first().waitFor();
    await dialog.getByLabel('Identifier').fill(`https://${name}.example`);
    await dialog.getByRole('button', { name: 'Register API' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();

    await page.getByRole('button', { name: 'Add scope' }).click();
    await dialog.getByLabel('Scope', { exact: true }).fill(`${name}:read`);
    await dialog.getByLabel('Description (English)').fill('Read orders');
    await dialog.getByLabel('Description (Deutsch)').fill('Bestellungen lesen');
    await dialog.getByRole('button', { name: 'Add scope' }).click();
    await page.getByText('Read orders').waitFor();

    await page.getByRole('tab', { name: 'Roles' }).click();
    await page.getByRole('button', { name: 'Add role' }).click();
    await dialog.getByLabel('Role', { exact: true }).fill('picker');
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await page.getByText('The role is not assigned to any user.').waitFor();
    expect(await registered(idOf(page))).toMatchObject({
      name,
      identifier: `https://${name}.example`,
      scopes: [
        {
          name: `${name}:read`,
          descriptions: [
            { language: 'de', text: 'Bestellungen lesen' },
            { language: 'en', text: 'Read orders' },
          ],
        },
      ],
      roles: [{ name: 'picker' }],
    });
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('A scope that another administrator added in the meantime is kept when an edited one is saved.', async () => {
    const name = unique('orders');
    const api = await register({
      name,
      scopes: [{ name: `${name}:read`, descriptions: [{ language: 'en', text: 'Read orders' }] }],
    });
    const { page, context, complaints } = await openConsole(browser, here(), { path: `apis/${api.id}` });
    await page.getByRole('button', { name: `Edit scope ${name}:read` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description (English)').fill('View orders');
    await asked('mutation ($input: UpdateApiInput!) { updateApi(input: $input) { problems { message } } }', {
      input: { id: api.id, scopes: [...api.scopes, { name: `${name}:write` }] },
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('alertdialog');
    await conflict.getByText('The other change affects different fields.', { exact: false }).waitFor();
    await conflict.getByRole('button', { name: 'Save my changes' }).click();
    await page.getByText('View orders').waitFor();
    await page.getByText(`${name}:write`).first().waitFor();
    const scopes = (await registered(api.id))?.scopes;
    expect(scopes?.map((scope) => [scope.name, scope.descriptions[0]?.text])).toEqual([
      [`${name}:read`, 'View orders'],
      [`${name}:write`, undefined],
    ]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('An administrator assigns a role of an API to a user and to a group, and removes both.', async () => {
    const api = await register({ roles: [{ name: unique('picker') }] });
    const [{ name: role }] = api.roles as [{ name: string }];
    const { demo: tenant } = here().tenants;
    const scim = new ScimClient(tenant, tenant.clients.scim.token);
    const userName = unique('picks');
    const { id } = await scim.createUser({ userName, displayName: userName });
    const { page, context, complaints } = await openConsole(browser, here(), { path: `users/${id}` });
    const dialog = page.getByRole('dialog');
    const give = async () => {
      await page.getByRole('button', { name: 'Assign API role' }).click();
      await dialog.getByRole('combobox', { name: 'Role' }).fill(role);
      await page.getByRole('option', { name: `${role} – ${api.name}` }).click();
      await dialog.getByRole('button', { name: 'Assign API role' }).click();
      await page.getByRole('link', { name: api.name }).waitFor();
    };
    const take = async () => {
      await page.getByRole('button', { name: `Remove: ${role}` }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
    };
    await give();
    await page.getByText('assigned directly').first().waitFor();
    await page.goto(`${here().origin}/console/t/demo/apis/${api.id}?tab=roles`);
    await page.getByRole('link', { name: userName }).click();
    await take();
    await page.getByText('The user has no API roles.').waitFor();

    const { createGroup } = await asked(
      'mutation ($input: CreateGroupInput!) { createGroup(input: $input) { group { id } problems { message } } }',
      { input: { displayName: unique('pickers') } },
    );
    await page.goto(`${here().origin}/console/t/demo/groups/${createGroup.group.id}?tab=roles`);
    await give();
    await take();
    await page.getByText('The group has no API roles.').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('Settings that another administrator changed in the meantime are kept when other ones are saved.', async () => {
    const api = await register({ tokenFormat: 'JWT' });
    const { page, context, complaints } = await openConsole(browser, here(), { path: `apis/${api.id}` });
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    const name = unique('renamed');
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill(name);
    await asked('mutation ($input: UpdateApiInput!) { updateApi(input: $input) { problems { message } } }', {
      input: { id: api.id, tokenFormat: 'OPAQUE' },
    });
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Save my changes' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByText('opaque', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('A machine that is registered in the console gets tokens for the scope of an API that was chosen.', async () => {
    const name = unique('orders');
    const api = await register({ name, scopes: [{ name: `${name}:read` }] });
    const { page, context, complaints } = await openConsole(browser, here(), {
      path: 'applications/new?kind=MACHINE',
    });
    const app = unique('picker');
    await page.getByLabel('Name', { exact: true }).fill(app);
    await page.getByRole('group', { name: 'Own API scopes' }).getByText(`${name}:read`).click();
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByText(`“${app}” is registered`).waitFor();
    const shown = page.locator('code');
    const secret = await shown.filter({ hasText: /^ocs_/ }).first().textContent();
    const id = await page.getByRole('alertdialog').locator('code').first().textContent();
    const response = await fetch(`${here().tenants.demo.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials', scope: `${name}:read` }),
    });
    const { access_token: token = '' } = (await response.json()) as { access_token?: string };
    expect(JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())).toMatchObject({
      aud: api.identifier,
    });
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('Credentials that an administrator creates for an API follow its revocation feed, and only its own.', async () => {
    const [api, other] = [await register(), await register()];
    const { page, context, complaints } = await openConsole(browser, here(), {
      path: `apis/${api.id}?tab=connect`,
    });
    await page.getByRole('button', { name: 'Create credentials' }).click();
    const shown = page.getByRole('dialog').or(page.getByRole('alertdialog')).locator('code');
    const secret = (await shown.filter({ hasText: /^ocs_/ }).textContent()) ?? '';
    const id = (await shown.first().textContent()) ?? '';
    await page.getByRole('button', { name: 'I have saved it' }).click();
    const follow = async (audience: string) =>
      (
        await fetch(`${here().tenants.demo.issuer}/revocations?audience=${encodeURIComponent(audience)}`, {
          headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
        })
      ).status;
    expect([await follow(api.identifier), await follow(other.identifier)]).toEqual([200, 400]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('A verifier that follows an API is shown without lag, and with a growing one after it stops.', async () => {
    const api = await register();
    const { page, context, complaints } = await openConsole(browser, here(), {
      path: `apis/${api.id}?tab=verifiers`,
    });
    await page.getByText('No app serves this API').waitFor();
    await page.getByRole('link', { name: 'Connect the API' }).click();
    await page.getByRole('button', { name: 'Create credentials' }).waitFor();
    const { registerClient } = await asked(
      `mutation ($input: RegisterClientInput!) {
         registerClient(input: $input) { client { id name } clientSecret problems { message } } }`,
      { input: { kind: 'MACHINE', name: unique('verifier'), protectedResources: [api.identifier] } },
    );
    const { client, clientSecret } = registerClient;
    await page.getByRole('tab', { name: 'Verifiers' }).click();
    const shown = page.getByRole('tabpanel').getByRole('listitem').filter({ hasText: client.name });
    await shown.getByText('Never seen').waitFor();
    const verify = ostiary({
      issuer: here().tenants.demo.issuer,
      audience: api.identifier,
      clientId: client.id,
      clientSecret,
    });
    await verify.ready();
    await shown.getByText('Following', { exact: true }).waitFor();
    await shown.getByText('1 follower').waitFor();
    verify.stop();
    await shown.getByText('Lagging', { exact: true }).waitFor();
    const lag = async () => {
      const { api: read } = await asked(
        'query ($id: ID!) { api(id: $id) { verifiers(first: 1) { edges { node { lagMs followers } } } } }',
        { id: api.id },
      );
      return read.verifiers.edges[0].node;
    };
    const [first, second] = [await lag(), await lag()];
    expect(first.followers).toBe(0);
    expect(second.lagMs).toBeGreaterThan(first.lagMs);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('A deleted API is no longer listed, and its page shows that it does not exist.', async () => {
    const api = await register();
    const { page, context, complaints } = await openConsole(browser, here(), { path: `apis/${api.id}` });
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'APIs' }).waitFor();
    await page.getByText(api.identifier).waitFor({ state: 'detached' });
    expect(await registered(api.id)).toBeNull();
    await page.goto(`${here().origin}/console/t/demo/apis/${api.id}`);
    await page.getByText('API not found').waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('The rival’s administrator finds no API of another tenant, neither in the list nor by its address.', async () => {
    const api = await register();
    const { page, context } = await openConsole(browser, here(), { tenant: 'rival', path: `apis/${api.id}` });
    await page.getByText('API not found').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'APIs', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'APIs' }).waitFor();
    expect(await page.getByText(api.identifier).count()).toBe(0);
    await context.close();
  });

  test('An administrator gives an app a scope of an API by choosing it in the registration.', async () => {
    const name = unique('orders');
    await register({ name, scopes: [{ name: `${name}:read` }] });
    const { registerClient } = await asked(
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } problems { message } } }',
      { input: { kind: 'MACHINE', name: unique('shop') } },
    );
    const { id } = registerClient.client;
    const { page, context, complaints } = await openConsole(browser, here(), { path: `applications/${id}` });
    await page.getByRole('button', { name: /^Edit: Access/ }).click();
    const own = page.getByRole('dialog').getByRole('group', { name: 'Own API scopes' });
    await own.getByText(`${name}:read`).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const { client } = await asked('query ($id: ID!) { client(id: $id) { ownScopes } }', { id });
    expect(client.ownScopes).toEqual([`${name}:read`]);
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('An administrator makes an app an agent with a lifetime of its tokens.', async () => {
    const { registerClient } = await asked(
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } problems { message } } }',
      {
        input: {
          name: unique('agent'),
          grantTypes: ['client_credentials', 'urn:ietf:params:oauth:grant-type:token-exchange'],
        },
      },
    );
    const { id } = registerClient.client;
    const { page, context, complaints } = await openConsole(browser, here(), { path: `applications/${id}` });
    await page.getByRole('button', { name: 'Edit: Delegation' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Token exchange').fill(here().tenants.demo.clients.web.client_id);
    await dialog.locator('.checkbox', { hasText: 'The app is named as the actor' }).click();
    await dialog.getByLabel('Maximum lifetime of an agent’s tokens in seconds').fill('120');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Agent (120 s)').waitFor();
    const { client } = await asked(
      'query ($id: ID!) { client(id: $id) { tokenExchange { agent agentTokenLifetimeSeconds impersonation } } }',
      { id },
    );
    expect(client.tokenExchange).toEqual({
      agent: true,
      agentTokenLifetimeSeconds: 120,
      impersonation: false,
    });
    expect(complaints).toEqual([]);
    await context.close();
  });
});
