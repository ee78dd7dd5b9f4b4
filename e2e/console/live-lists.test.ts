import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import type { Browser } from 'playwright-core';
import { Coalesced } from '../../console/src/graph/coalesced.ts';
import { chromiumPath, launchChromium, why } from '../browser/chromium.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { ScimClient } from '../support/scim.ts';
import { openConsole } from './console-page.ts';

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

test('Work runs once for all calls in a short time, again for later ones, and not after its end.', async () => {
  let runs = 0;
  const work = new Coalesced(
    () => {
      runs += 1;
    },
    { gatherMs: 2, restMs: 5 },
  );
  for (let count = 0; count < 1_000; count += 1) work.call();
  await eventually(() => runs === 1);
  work.call();
  work.call();
  await eventually(() => runs === 2);
  work.call();
  work.stop();
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(runs).toBe(2);
});

describeInBrowser('live lists', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  test('A list that is open during an import shows its users, with fewer requests than users.', async () => {
    if (demo === undefined) throw new Error(why);
    const prefix = unique('import');
    const { page, context, complaints } = await openConsole(browser, demo, { path: `users?q=${prefix}` });
    await page.getByText('live', { exact: true }).first().waitFor();
    let requests = 0;
    page.on('request', (request) => {
      if (request.postDataJSON()?.operationName === 'UserList') requests += 1;
    });
    const source = new ScimClient(demo.tenants.demo, demo.tenants.demo.clients.scim.token);
    const users = Array.from({ length: 40 }, (_, index) => ({ userName: `${prefix}-${index}` }));
    for (const user of users) await source.createUser(user);
    await page.getByText('40 users', { exact: true }).waitFor();
    await page.getByRole('rowheader', { name: `${prefix}-0` }).waitFor();
    expect(requests).toBeGreaterThan(0);
    expect(requests).toBeLessThan(users.length / 2);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
