import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { runningDemo } from '../support/demo.ts';
import { adminToken } from '../support/sign-in.ts';
import { chromiumPath, launchChromium } from './chromium.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('GraphiQL', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  test('GraphiQL queries the graph under its strict policy and without requests to other origins.', async () => {
    const demo = runningDemo();
    const { origin } = new URL(demo.graphql);
    const page = await browser.newPage();
    const complaints: string[] = [];
    const elsewhere: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith('data:') && new URL(request.url()).origin !== origin)
        elsewhere.push(request.url());
    });
    const headers = JSON.stringify({ authorization: `Bearer ${await adminToken(demo.tenants.demo)}` });
    await page.addInitScript(() =>
      localStorage.setItem('graphiql:query', '{ users(first: 1) { edges { node { userName } } } }'),
    );
    await page.goto(`${origin}/graphiql`);
    const editor = page.locator('.graphiql-editor-tool .CodeMirror').last();
    await editor.waitFor();
    await editor.evaluate((element, text) => {
      (element as unknown as { CodeMirror: { setValue(text: string): void } }).CodeMirror.setValue(text);
    }, headers);
    await page.locator('.graphiql-execute-button').click();
    await page.locator('.result-window').getByText('"userName"').first().waitFor();
    await page.close();
    expect(elsewhere).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
