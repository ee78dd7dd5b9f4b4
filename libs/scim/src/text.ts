/**
 * Simple (one code point to one code point) Unicode lower-casing, the fold behind `caseExact: false`.
 *
 * It equals PostgreSQL's `lower(text COLLATE "pg_c_utf8")`, so that a filter means the same in SQL and in
 * memory. A key column of a case-insensitive attribute stores `foldCase(value)`.
 */
export function foldCase(text: string): string {
  let ascii = true;
  for (let index = 0; index < text.length; index += 1) {
    if (text.charCodeAt(index) > 0x7f) {
      ascii = false;
      break;
    }
  }
  if (ascii) return text.toLowerCase();
  let folded = '';
  for (const character of text) {
    // The only code point whose full lower case has two; and per character, a sigma is never final.
    folded += character === '\u0130' ? 'i' : character.toLowerCase();
  }
  return folded;
}

/** Orders by code point, as PostgreSQL's "C" collation does; `<` on strings orders by UTF-16 code unit. */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let index = 0; index < length; index += 1) {
    const left = a.charCodeAt(index);
    const right = b.charCodeAt(index);
    if (left === right) continue;
    return rank(left) - rank(right);
  }
  return a.length - b.length;
}

/** Lifts surrogates above U+E000–U+FFFF, which they follow in code point order. */
function rank(codeUnit: number): number {
  return codeUnit >= 0xd800 && codeUnit <= 0xdfff ? codeUnit + 0x10000 : codeUnit;
}

/** True when PostgreSQL can store the text: well-formed Unicode without NUL. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

const dateTime = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?$/;

/**
 * The canonical form of an xsd:dateTime (RFC 7643 §2.3.5): UTC with exactly three fraction digits, e.g.
 * `2011-05-13T04:42:34.000Z`; undefined when `text` isn't one. In this form the order of the strings is
 * the order of the instants. Without a zone, UTC is meant. Digits beyond the millisecond are cut off.
 */
export function canonicalDateTime(text: string): string | undefined {
  const match = dateTime.exec(text);
  if (match === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction, zone] = match;
  const time = [Number(hour), Number(minute), Number(second)] as const;
  if (time[0] > 23 || time[1] > 59 || time[2] > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  // An impossible day or month rolls over, which shows here.
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  date.setUTCHours(...time, Number((fraction ?? '').slice(0, 3).padEnd(3, '0')));
  if (zone !== undefined && zone !== 'Z') {
    const hours = Number(zone.slice(1, 3));
    const minutes = Number(zone.slice(4));
    if (hours > 14 || minutes > 59) return undefined;
    const offset = (hours * 60 + minutes) * 60_000;
    date.setTime(date.getTime() + (zone.startsWith('-') ? offset : -offset));
  }
  const resultYear = date.getUTCFullYear();
  return resultYear >= 1 && resultYear <= 9999 ? date.toISOString() : undefined;
}
