/** The section of docs/architecture.md that compares the structure of today with that before services were divided into modules. */
import type { Figures } from './figures.ts';

export type FiguresOfPackages = Readonly<Record<string, Figures>>;

/** The columns, in the order of the table. */
const columns: readonly [of: keyof Figures, heading: string][] = [
  ['filesInFolder', 'files in a folder, at most'],
  ['linesInFile', 'longest file'],
  ['linesInFunction', 'longest function'],
  ['importsBetweenModules', 'imports between modules'],
  ['cyclesBetweenFiles', 'cycles between files'],
  ['cyclesBetweenModules', 'cycles between modules'],
  ['againstDirection', 'imports against the direction'],
];

const begin = '<!-- structure: written by node scripts/structure.ts --write -->';
const end = '<!-- /structure -->';

export function sectionOf(before: FiguresOfPackages, after: FiguresOfPackages): string {
  const row = (name: string): string => {
    const cells = columns.map(([of]) => {
      const [then, now] = [before[name]?.[of], after[name]?.[of]];
      return then === undefined ? `${now}` : `${then} → ${now}`;
    });
    return `| ${name} | ${cells.join(' | ')} |`;
  };
  return [
    begin,
    `| package | ${columns.map(([, heading]) => heading).join(' | ')} |`,
    `|---|${columns.map(() => '--:|').join('')}`,
    ...Object.keys(after).map(row),
    end,
  ].join('\n');
}

/** The page with its section replaced. @throws Error when the page has no such section */
export function withSection(page: string, section: string): string {
  const from = page.indexOf(begin);
  const to = page.indexOf(end);
  if (from === -1 || to === -1) throw new Error('the page has no section for the structure');
  return page.slice(0, from) + section + page.slice(to + end.length);
}

/** What the page says of today: package → figures. */
export function figuresOnPage(page: string): Record<string, Record<keyof Figures, number>> {
  const section = page.slice(page.indexOf(begin), page.indexOf(end));
  const rows = [...section.matchAll(/^\| ([\w/-]+) \| (.+) \|$/gm)].filter(([, name]) => name !== 'package');
  return Object.fromEntries(
    rows.map(([, name = '', cells = '']) => {
      const numbers = cells.split(' | ').map((cell) => Number(cell.split('→').at(-1)));
      const figures = columns.map(([of], index) => [of, numbers[index] ?? Number.NaN] as const);
      return [name, Object.fromEntries(figures) as Record<keyof Figures, number>];
    }),
  );
}
