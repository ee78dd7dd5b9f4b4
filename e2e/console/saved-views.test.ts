import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { isSameView, maxViews, parseViews, viewOf } from '../../console/src/users/list/saved-views.ts';
import { chromiumPath, launchChromium, why } from '../browser/chromium.ts';
import { runningDemo, unique } from '../support/demo.ts';
import { openConsole } from './console-page.ts';

describe('stored views', () => {
  test.each([undefined, '', 'no JSON', '{}', '[1]', '[{"name":1,"view":{}}]', '[{"name":"x"}]'])(
    'A text that is not a list of views gives none: %p.',
    (text) => {
      expect(parseViews(text)).toEqual([]);
    },
  );

  test('Unknown members and values of a view are omitted, and views beyond the maximum.', () => {
    const stored = {
      name: 'x'.repeat(100),
      view: { q: 'alice', filter: 'title pr', active: 'perhaps', other: 1 },
    };
    const views = parseViews(JSON.stringify(Array.from({ length: 30 }, () => stored)));
    expect(views).toHaveLength(maxViews);
    expect(views[0]).toEqual({ name: 'x'.repeat(60), view: { filter: 'title pr', active: 'yes' } });
  });

  test('Two views are the same without regard to empty values, order of members and search text.', () => {
    expect(viewOf({ q: 'alice', filter: '', active: 'no' })).toEqual({ active: 'no' });
    expect(
      isSameView({ active: 'no', order: 'userName' }, { order: 'userName', filter: '', active: 'no' }),
    ).toBe(true);
    expect(isSameView({ active: 'no' }, { active: 'yes' })).toBe(false);
  });
});

const describeInBrowser = chromiumPath === undefined ? describe.skip : describe;

describeInBrowser('views of the list of users', () => {
  const demo = chromiumPath === undefined ? undefined : runningDemo();
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  test('An administrator saves a view, chooses it after a reload, and deletes it..', async () => {
    if (demo === undefined) throw new Error(why);
    const name = unique('view');
    const { page, context, complaints } = await openConsole(browser, demo, {
      path: 'users?active=no&order=-updatedAt&columns=name,state',
    });
    const choose = async (entry: string) => {
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('menuitem', { name: entry }).click();
    };
    await choose('Save this view…');
    await page.getByRole('textbox', { name: 'Name' }).fill(name);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.goto(`${demo.origin}/console/t/demo/users`);
    await choose(name);
    await page.waitForURL((url) => url.searchParams.get('order') === '-updatedAt');
    const shown = new URL(page.url()).searchParams;
    expect(Object.fromEntries(shown)).toEqual({ active: 'no', order: '-updatedAt', columns: 'name,state' });
    const stored = (await page.evaluate('Object.keys(localStorage)')) as string[];
    expect(stored).toEqual(['ostiary-console.views.demo']);
    await choose(`Delete the view “${name}”`);
    expect(await page.evaluate('Object.keys(localStorage)')).toEqual([]);
    await page.getByRole('button', { name: 'Views' }).click();
    expect(await page.getByRole('menuitem', { name }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await context.close();
  });
});
