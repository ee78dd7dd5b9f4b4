import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { chromiumPath, launchChromium, why } from '../browser/chromium.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken } from '../support/sign-in.ts';
import { openConsole } from './console-page.ts';

if (chromiumPath === undefined) process.stderr.write(`e2e/console: skipped. ${why}\n`);
const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('Claims in the console', () => {
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
  const asked = async (document: string, variables: Record<string, unknown>) => {
    const { data, errors } = await graph(here(), await adminToken(here().tenants.demo), document, variables);
    expect(errors).toEqual([]);
    return data;
  };
  const register = async () => {
    const name = unique('orders');
    const { registerApi } = await asked(
      'mutation ($input: RegisterApiInput!) { registerApi(input: $input) { api { id } problems { message } } }',
      { input: { identifier: `https://${name}.example`, name } },
    );
    const { registerClient } = await asked(
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } problems { message } } }',
      { input: { kind: 'MACHINE', name: unique('shop') } },
    );
    return { apiId: registerApi.api.id as string, clientId: registerClient.client.id as string };
  };

  test('An administrator maps a claim of an API, corrects a rejected expression, and previews it for a user.', async () => {
    const { apiId, clientId } = await register();
    const { client } = await asked('query ($id: ID!) { client(id: $id) { name } }', { id: clientId });
    const userName = unique('buyer');
    const { demo: tenant } = here().tenants;
    await new ScimClient(tenant, tenant.clients.scim.token).createUser({ userName, title: 'Buyer' });
    const { page, context, complaints } = await openConsole(browser, here(), {
      path: `apis/${apiId}?tab=claims`,
    });
    await page.getByRole('button', { name: 'Edit claims' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Claim', { exact: true }).fill('job');
    await dialog.getByRole('textbox', { name: 'Expression' }).fill('user.title +');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.locator('.note[data-tone=bad]').waitFor();
    await dialog.getByRole('textbox', { name: 'Expression' }).fill('user.title');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('user.title').waitFor();
    const { api } = await asked('query ($id: ID!) { api(id: $id) { claims { name expression required } } }', {
      id: apiId,
    });
    expect(api.claims).toEqual([{ name: 'job', expression: 'user.title', required: false }]);
    await page.getByRole('combobox', { name: 'User' }).fill(userName);
    await page.getByRole('option', { name: userName }).click();
    await page.getByRole('combobox', { name: 'App' }).fill(client.name);
    await page.getByRole('option', { name: client.name }).click();
    await page.getByText('"Buyer"', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
  });

  test('An administrator maps a claim of an app, and a concurrent change is shown before it is replaced.', async () => {
    const { clientId } = await register();
    const { page, context, complaints } = await openConsole(browser, here(), {
      path: `applications/${clientId}?tab=claims`,
    });
    await page.getByRole('button', { name: 'Edit claims' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Claim', { exact: true }).fill('plan');
    await dialog.getByRole('textbox', { name: 'Expression' }).fill('"gold"');
    await asked(
      'mutation ($input: UpdateClientInput!) { updateClient(input: $input) { problems { message } } }',
      {
        input: { id: clientId, claims: [{ name: 'plan', expression: '"silver"' }] },
      },
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('alertdialog');
    await conflict.getByText('plan: "silver"').waitFor();
    await conflict.getByRole('button', { name: 'Save my changes' }).click();
    await conflict.waitFor({ state: 'detached' });
    const { client } = await asked('query ($id: ID!) { client(id: $id) { claims { expression } } }', {
      id: clientId,
    });
    expect(client.claims).toEqual([{ expression: '"gold"' }]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
