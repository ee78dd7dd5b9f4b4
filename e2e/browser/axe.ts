import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Matches text that a page must not show: escapes of the bundler and unset values. */
const unfinished = /\\u[0-9a-f]{4}|\[object Object\]|\bundefined\b|!?\$\{/gi;

/** Returns the violations that axe finds, and unfinished text on the page. */
export async function violations(page: Page): Promise<string[]> {
  // Injected through the debugger, because the pages' Content-Security-Policy blocks scripts.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe);
  // Only violations are returned; the complete result is large.
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
