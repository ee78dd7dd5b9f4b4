/** Section of docs/architecture.md with the structure of each package. */
import type { Figures } from './figures.ts';

export type FiguresOfPackages = Readonly<Record<string, Figures>>;

/** Columns in the order of the table. */
const columns: readonly [of: keyof Figures, heading: string][] = [
  ['filesInFolder', 'most files in a folder'],
  ['linesInFile', 'longest file'],
  ['linesInFunction', 'longest function'],
  ['importsBetweenModules', 'imports between modules'],
  ['cyclesBetweenFiles', 'cycles between files'],
  ['cyclesBetweenModules', 'cycles between modules'],
  ['againstDirection', 'imports against the direction'],
];

const begin = '<!-- structure: written by node scripts/structure.ts --write -->';
const end = '<!-- /structure -->';

export function sectionOf(packages: FiguresOfPackages): string {
  return [
    begin,
    `| package | ${columns.map(([, heading]) => heading).join(' | ')} |`,
    `|---|${columns.map(() => '--:|').join('')}`,
    ...Object.entries(packages).map(
      ([name, figures]) => `| ${name} | ${columns.map(([of]) => figures[of]).join(' | ')} |`,
    ),
    end,
  ].join('\n');
}

/** Returns the page with its section replaced. @throws Error if the page has no such section */
export function withSection(page: string, section: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to === -1) throw new Error('the page has no section for the structure');
  return page.slice(0, from) + section + page.slice(to + end.length);
}

/** Returns the figures in the section of a page, by package. */
export function figuresOnPage(page: string): Record<string, Record<keyof Figures, number>> {
  const section = page.slice(page.indexOf(begin), page.indexOf(end));
  const rows = [...section.matchAll(/^\| ([\w/-]+) \| (.+) \|$/gm)].filter(([, name]) => name !== 'package');
  return Object.fromEntries(
    rows.map(([, name = '', cells = '']) => {
      const numbers = cells.split(' | ').map(Number);
      const figures = columns.map(([of], index) => [of, numbers[index] ?? Number.NaN] as const);
      return [name, Object.fromEntries(figures) as Record<keyof Figures, number>];
    }),
  );
}
