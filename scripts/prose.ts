/**
 * Checks the words of all texts: `npm run lint:prose`. Fails when a surface is above its limit in `prose/limits.json`.
 *   --report [SURFACE]  prints the figures and every finding (of one surface)
 *   --update            lowers the limits to today's figures; a limit never rises
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { allowed } from './prose/allowed.ts';
import { type Figures, figuresOf, findingsIn } from './prose/figures.ts';
import { readProse, type Surface, surfaces } from './prose/texts.ts';

/** Maximum markers per 1,000 words, and maximum share of headless descriptions. */
type Limits = Record<Surface, { rate: number; headlessShare: number }>;

const root = resolve(import.meta.dirname, '..');
const file = resolve(import.meta.dirname, 'prose', 'limits.json');
/** Minimum of the limits, because a few words are correct in their context. */
const target = { rate: 1, headlessShare: 0.03 };

const limits = JSON.parse(readFileSync(file, 'utf8')) as Limits;
const texts = readProse(root);
const findings = findingsIn(texts, allowed);
const figures = figuresOf(texts, findings);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const [option, chosen] = process.argv.slice(2);
if (option === '--update') update();
else if (option === '--report') report(chosen);
else check();

function check(): void {
  const above = surfaces.filter((surface) => isAbove(figures[surface], limits[surface]));
  for (const surface of above) {
    const { rate, headlessShare } = limits[surface];
    print(
      `${line(surface)}: above the limit of ${rate.toFixed(2)} markers per 1,000 words or ${percent(headlessShare)} headless descriptions`,
    );
  }
  if (above.length === 0) return;
  print('\n`npm run lint:prose -- --report "SURFACE"` prints each finding. CONTRIBUTING.md has the rules.');
  process.exitCode = 1;
}

function report(surface: string | undefined): void {
  for (const one of surfaces) print(line(one));
  if (surface !== undefined && !surfaces.some((one) => one === surface)) {
    print(`\nUnknown surface. Surfaces: ${surfaces.join(', ')}`);
    process.exitCode = 1;
    return;
  }
  print('');
  for (const { surface: of, file: where, line: at, rule, found, instead } of findings) {
    if (surface === undefined || of === surface)
      print(`${where}:${at}  ${rule}: "${found}"; write ${instead}`);
  }
}

function update(): void {
  for (const surface of surfaces) {
    const { rate, headlessShare } = figures[surface];
    limits[surface] = {
      rate: lowered(limits[surface].rate, rate, target.rate),
      headlessShare: lowered(limits[surface].headlessShare, headlessShare, target.headlessShare),
    };
  }
  writeFileSync(file, `${JSON.stringify(limits, null, 2)}\n`);
  for (const surface of surfaces) print(line(surface));
}

/** Rounds up, so that the figure itself is within its limit. */
function lowered(limit: number, figure: number, least: number): number {
  return Math.min(limit, Math.max(least, Math.ceil(figure * 1000) / 1000));
}

function isAbove({ rate, headlessShare }: Figures, limit: Limits[Surface]): boolean {
  return rate > limit.rate || headlessShare > limit.headlessShare;
}

function line(surface: Surface): string {
  const { texts: count, words, rate, headlessShare } = figures[surface];
  return `${surface}: ${count} texts, ${words} words, ${rate.toFixed(2)} markers per 1,000 words, ${percent(headlessShare)} headless`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
