/**
 * Characters of foreign texts that a terminal must not interpret: a display name could contain escape sequences that
 * rewrite the screen, or marks that change the writing direction. Each is replaced with its code point.
 */
const unshowable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

export const shown = (text: string): string =>
  text.replace(unshowable, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

/** Escapes the same characters, which JSON permits, in JSON's notation: the value stays the same. */
export const json = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(unshowable, (character) =>
    character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Returns a text as one word of a POSIX shell, for commands that users copy. */
export const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const segmenter = new Intl.Segmenter();
const wide =
  /\p{Extended_Pictographic}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u;

/** Returns the number of columns of a text. */
function widthOf(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += wide.test(segment) ? 2 : 1;
  return width;
}

const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)));

export type Cell = string | number | boolean | null | undefined | readonly string[];

const cellText = (cell: Cell): string => {
  if (cell === null || cell === undefined || cell === '') return '–';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return shown(typeof cell === 'object' ? cell.join(', ') || '–' : String(cell));
};

/** Formats rows under their headings; a column is as wide as its widest cell. */
export function table(headings: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const cells = rows.map((row) => row.map(cellText));
  const widths = headings.map((heading, at) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[at] ?? '')), widthOf(heading)),
  );
  const line = (row: readonly string[]): string =>
    row.map((text, at) => (at === row.length - 1 ? text : pad(text, widths[at] ?? 0))).join('  ');
  return [line(headings.map((heading) => heading.toUpperCase())), ...cells.map(line)];
}

/** Formats the names and values of one object, one per line. */
export function listing(entries: Readonly<Record<string, Cell>>): string[] {
  const width = Math.max(...Object.keys(entries).map(widthOf));
  return Object.entries(entries).map(([name, value]) => `${pad(name, width)}  ${cellText(value)}`);
}
