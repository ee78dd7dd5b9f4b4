const notAscii = /[\u0080-\uffff]/;
const wide = /[\u3000\uff01-\uffee]/;
const everyWide = /[\u3000\uff01-\uffee]/g;

/** How often the rules may still change a text after the first time (RFC 8264 §7). */
const repetitions = 3;

/**
 * The comparison key of a user name: two names are one exactly when their keys are equal. These are the mappings of
 * UsernameCaseMapped (RFC 8265 §3.3.2: width, case, NFC), without its refusals: names from before the refusals are
 * compared by the same key, and because `userNameProblem` judges the key, no refused name shares one with an accepted.
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
 * What is kept beside a key to say that it was made from this name, and by these rules; null for a name in ASCII, whose key
 * has always been the same.
 */
export const userNameMark = (userName: string): string | null =>
  notAscii.test(userName) ? `${userName}\n${userNameKey(userName)}` : null;

/** Whether the mappings leave a key alone (RFC 8264 §7: what never comes to rest is refused). */
export const isStable = (key: string): boolean => !notAscii.test(key) || mapped(key) === key;

/** Unicode's toLowerCase, no language's own, with the sigma at the end of a word (RFC 8264 §5.2.3). */
const mapped = (text: string): string => mapWidth(text).toLowerCase().normalize('NFC');

/** Fullwidth and halfwidth code points become what they are forms of (RFC 8264 §5.2.1). */
function mapWidth(text: string): string {
  return wide.test(text) ? text.replace(everyWide, decomposed) : text;
}

/**
 * The Decomposition_Mapping of a fullwidth or halfwidth code point. NFKC goes further for two kinds, to what their
 * decomposition is made of: halfwidth Hangul letters, which then grew together into syllables, and the macron.
 */
function decomposed(character: string): string {
  if (character === '\uffe3') return '\u00af';
  const code = character.charCodeAt(0);
  if (code < 0xffa0 || code > 0xffdc) return character.normalize('NFKC');
  const run = hangul.find(({ from, to }) => code >= from && code <= to);
  return run === undefined ? character : String.fromCharCode(run.formOf + code - run.from);
}

/** Runs of halfwidth Hangul letters, and what the first of each is a form of. */
const hangul = [
  { from: 0xffa0, to: 0xffa0, formOf: 0x3164 },
  { from: 0xffa1, to: 0xffbe, formOf: 0x3131 },
  { from: 0xffc2, to: 0xffc7, formOf: 0x314f },
  { from: 0xffca, to: 0xffcf, formOf: 0x3155 },
  { from: 0xffd2, to: 0xffd7, formOf: 0x315b },
  { from: 0xffda, to: 0xffdc, formOf: 0x3161 },
] as const;
