const notAscii = /[\u0080-\uffff]/;
const wide = /[\u3000\uff01-\uffee]/;
const everyWide = /[\u3000\uff01-\uffee]/g;

/** Number of repetitions in which the rules must become stable (RFC 8264 §7). */
const repetitions = 3;

/**
 * Returns the comparison key of a user name: names are equal exactly if their keys are. Applies the mappings
 * of UsernameCaseMapped (RFC 8265 §3.3.2: width, case, NFC) without its rejections: names that predate them
 * are compared by the same key, and because `userNameProblem` checks the key, no rejected name shares one
 * with an accepted name.
 */
export function userNameKey(text: string): string {
  if (!notAscii.test(text)) return text.toLowerCase();
  let key = mapped(text);
  for (let again = 0; again < repetitions; again += 1) {
    const next = mapped(key);
    if (next === key) break;
    key = next;
  }
  return key;
}

/**
 * Returns the mark stored beside a key, stating the name and rules from which it was computed; null for an
 * ASCII name, whose key never changed.
 */
export const userNameMark = (userName: string): string | null =>
  notAscii.test(userName) ? `${userName}\n${userNameKey(userName)}` : null;

/** Reports whether the mappings leave a key unchanged (RFC 8264 §7: an unstable text is rejected). */
export const isStable = (key: string): boolean => !notAscii.test(key) || mapped(key) === key;

/** Unicode's toLowerCase, independent of locale, with final sigma (RFC 8264 §5.2.3). */
const mapped = (text: string): string => mapWidth(text).toLowerCase().normalize('NFC');

/** Replaces fullwidth and halfwidth code points by the regular ones (RFC 8264 §5.2.1). */
function mapWidth(text: string): string {
  return wide.test(text) ? text.replace(everyWide, decomposed) : text;
}

/**
 * Returns the Decomposition_Mapping of a fullwidth or halfwidth code point. NFKC goes further for two kinds:
 * halfwidth Hangul letters, which it would combine into syllables, and the macron.
 */
function decomposed(character: string): string {
  if (character === '\uffe3') return '\u00af';
  const code = character.charCodeAt(0);
  if (code < 0xffa0 || code > 0xffdc) return character.normalize('NFKC');
  const run = hangul.find(({ from, to }) => code >= from && code <= to);
  return run === undefined ? character : String.fromCharCode(run.formOf + code - run.from);
}

/** Runs of halfwidth Hangul letters, with the regular form of the first of each. */
const hangul = [
  { from: 0xffa0, to: 0xffa0, formOf: 0x3164 },
  { from: 0xffa1, to: 0xffbe, formOf: 0x3131 },
  { from: 0xffc2, to: 0xffc7, formOf: 0x314f },
  { from: 0xffca, to: 0xffcf, formOf: 0x3155 },
  { from: 0xffd2, to: 0xffd7, formOf: 0x315b },
  { from: 0xffda, to: 0xffdc, formOf: 0x3161 },
] as const;
