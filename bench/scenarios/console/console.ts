import pg from 'pg';
import type { Page } from 'playwright-core';
import { median, percentile } from '../../measure.ts';
import type { BenchContext, Row, Scenario } from '../../scenario.ts';
import { loadPeople } from '../scim-scale/load.ts';
import { familyName, givenName, workEmail } from '../scim-scale/people.ts';
import { type OpenConsole, openConsole, scriptBytes, shownAfter } from './browser.ts';
import { floodFor, heapBytes, installFlood } from './event-flood.ts';

const users = 1_000_000;
const eventsPerSecond = 1_000;
/** Length of the flood of events in rounds of `seconds`; BENCH_CONSOLE_MINUTES lengthens it to an hour, for example. */
const floodSeconds = (seconds: number): number =>
  process.env.BENCH_CONSOLE_MINUTES ? Number(process.env.BENCH_CONSOLE_MINUTES) * 60 : seconds * 8;

const nameOf = (n: number): string => `${givenName(n)} ${familyName(n)}`;
const round = (ms: number): number => Math.round(ms * 10) / 10;
const times = (samples: readonly number[]) => ({
  'p50 ms': round(median(samples)),
  'p95 ms': round(percentile(samples, 0.95)),
});

/** The console in Chromium on the machine of the services, with a million users. */
export const consoleInBrowser: Scenario = {
  name: 'console',
  onRequest: true,
  async run(context) {
    const { system, demo, log } = context;
    const sql = new pg.Client({ connectionString: system.databaseUrl });
    await sql.connect();
    log(`inserting ${users} users`);
    const { ids } = await loadPeople(sql, { tenant: 'demo', source: 'bench', from: 1, to: users });
    await sql.end();
    const opened = await openConsole(demo, system.origin);
    try {
      return [
        ...(await openings(context, opened)),
        await searches(context, opened.page),
        await userPages(context, opened.page, ids),
        ...(await flood(context, opened)),
      ];
    } finally {
      await opened.browser.close();
    }
  },
};

/** Loads the console again, with a signed-in browser and a warm server. */
async function openings({ system, seconds }: BenchContext, { page }: OpenConsole): Promise<Row[]> {
  const samples: number[] = [];
  for (let n = 0; n < seconds + 2; n += 1) {
    const began = performance.now();
    await page.goto(`${system.origin}/console/t/demo/`);
    await page.locator('main h1').first().waitFor();
    samples.push(performance.now() - began);
  }
  const kB = Math.round((await scriptBytes(page)) / 1_000);
  return [
    { name: 'console, scripts of the overview as transferred', figures: { kB } },
    { name: 'console, opened until its first page is shown', figures: times(samples) },
  ];
}

/** Types the beginning of a name into the search field until the first row shows the user. */
async function searches({ system, seconds }: BenchContext, page: Page): Promise<Row> {
  await page.goto(`${system.origin}/console/t/demo/users`);
  const field = page.getByRole('searchbox').first();
  const samples: number[] = [];
  for (let n = 0; n < seconds * 5; n += 1) {
    const wanted = workEmail(1 + ((n * 15_485_863) % users));
    await field.fill('');
    await page.getByRole('row').nth(5).waitFor();
    await field.pressSequentially(wanted.slice(0, 3), { delay: 60 });
    samples.push(
      await shownAfter(page, {
        event: 'input',
        selector: '[role=row], tr',
        text: wanted,
        act: () => field.fill(wanted),
      }),
    );
  }
  return { name: `console, search among ${users} users`, figures: times(samples) };
}

/** Opens users from the list until their page shows their access. */
async function userPages(
  { system, seconds }: BenchContext,
  page: Page,
  ids: readonly string[],
): Promise<Row> {
  const samples: number[] = [];
  for (let n = 0; n < seconds * 3; n += 1) {
    const of = 1 + ((n * 7_654_321) % users);
    await page.goto(`${system.origin}/console/t/demo/users?q=${encodeURIComponent(workEmail(of))}`);
    const row = page.getByRole('row', { name: nameOf(of) }).first();
    await row.waitFor();
    samples.push(
      await shownAfter(page, {
        event: 'click',
        selector: 'main h1',
        text: nameOf(of),
        act: () => row.click(),
      }),
    );
    await page.waitForURL((url) => url.pathname.endsWith(ids[of - 1] ?? ''));
  }
  return { name: 'console, page of a user after the click', figures: times(samples) };
}

/** Sends events of users in the list, and compares the memory at the beginning with that at the end. */
async function flood({ system, seconds, log }: BenchContext, { context }: OpenConsole): Promise<Row[]> {
  await installFlood(context);
  const page = await context.newPage();
  await page.goto(`${system.origin}/console/t/demo/users`);
  await page.getByRole('row').nth(5).waitFor();
  const links = await page
    .locator('a[href*="/users/"]')
    .evaluateAll((all) =>
      all.map((link) => new URL((link as HTMLAnchorElement).href).pathname.split('/').at(-1) ?? ''),
    );
  const ids = [...new Set(links.filter((id) => /^[0-9a-f-]{36}$/.test(id)))];
  const run = (length: number) => floodFor(page, { ids, perSecond: eventsPerSecond, seconds: length });
  await run(seconds);
  const before = await heapBytes(page);
  log(`sending ${eventsPerSecond} events per second for ${floodSeconds(seconds)} s`);
  const { sent, missedPercent, longestMs } = await run(floodSeconds(seconds));
  const after = await heapBytes(page);
  await page.close();
  const mB = (bytes: number) => round(bytes / 1e6);
  return [
    {
      name: `console, ${eventsPerSecond} events per second`,
      figures: { events: sent, 'frames missed %': missedPercent, 'longest ms': longestMs },
    },
    {
      name: 'console, heap before and after these events',
      figures: { 'before MB': mB(before), 'after MB': mB(after) },
    },
  ];
}
