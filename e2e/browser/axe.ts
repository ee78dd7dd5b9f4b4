import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Text that no page shows on purpose: an escape of the bundler, a value that was never filled in. */
const unfinished = /\\u[0-9a-f]{4}|\[object Object\]|\bundefined\b|!?\$\{/gi;

/** Returns what axe finds wrong, and unfinished text that the page shows. */
export async function violations(page: Page): Promise<string[]> {
  // By the debugger's door: the pages' own policy lets no script in.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  // Only what is wrong comes back: the rest is long, and thrown away.
  const found = (await page.evaluate(
    `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`,
  )) as AxeResults['violations'];
  const shown = String(await page.evaluate('document.title + "\\n" + document.documentElement.innerText'));
  return [
    ...found.map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('; ')}`,
    ),
    ...[...shown.matchAll(unfinished)].map(([text]) => `unfinished text: ${text}`),
  ];
}
