/**
 * PRECIS IdentifierClass (RFC 8264 §4.2 and §8): code points permitted in identifiers, by the Unicode version
 * of the runtime. Later versions only add code points.
 */

/** RFC 8264 §9.6 (RFC 5892 §2.6): exceptions to the properties of code points, both ways. */
const validException = /[\u00df\u03c2\u06fd\u06fe\u0f0b\u3007]/u;
const refusedException = /[\u0640\u07fa\u302e\u302f\u3031-\u3035\u303b]/u;

/** §9.1 LetterDigits. */
const letterDigit = /[\p{Ll}\p{Lu}\p{Lo}\p{Nd}\p{Lm}\p{Mn}\p{Mc}]/u;
/** §9.9: conjoining letters of syllables; JavaScript has no property for Hangul_Syllable_Type. */
const oldHangulJamo = /[\u1100-\u11ff\ua960-\ua97c\ud7b0-\ud7c6\ud7cb-\ud7fb]/u;
/** §9.13, with the join controls of §9.8: they are invisible, so they are rejected in any context. */
const ignorable = /[\p{Default_Ignorable_Code_Point}\p{Noncharacter_Code_Point}]/u;

/** Returns the first code point that is not permitted in one userpart; undefined if it is valid. */
export function refusedCodePoint(userpart: string): string | undefined {
  const characters = [...userpart];
  return characters.find((character, at) => !isAllowed(character, characters, at));
}

function isAllowed(character: string, all: readonly string[], at: number): boolean {
  const inContext = contextualRules.find(({ of }) => of.test(character));
  if (inContext !== undefined) return inContext.allows(all, at);
  if (validException.test(character)) return true;
  if (refusedException.test(character)) return false;
  if (character >= '\u0021' && character <= '\u007e') return true;
  if (oldHangulJamo.test(character) || ignorable.test(character)) return false;
  // §9.17 HasCompat: a compatibility form of another code point.
  return character.normalize('NFKC') === character && letterDigit.test(character);
}

/** CONTEXTO (RFC 5892 appendix A.3 to A.9): valid only in the context of its script. */
const contextualRules: readonly {
  of: RegExp;
  allows: (all: readonly string[], at: number) => boolean;
}[] = [
  // MIDDLE DOT, between two l, as in Catalan.
  { of: /\u00b7/u, allows: (all, at) => all[at - 1] === 'l' && all[at + 1] === 'l' },
  // GREEK LOWER NUMERAL SIGN
  { of: /\u0375/u, allows: (all, at) => /^\p{Script=Greek}$/u.test(all[at + 1] ?? '') },
  // HEBREW PUNCTUATION GERESH and GERSHAYIM
  { of: /[\u05f3\u05f4]/u, allows: (all, at) => /^\p{Script=Hebrew}$/u.test(all[at - 1] ?? '') },
  // KATAKANA MIDDLE DOT
  {
    of: /\u30fb/u,
    allows: (all) =>
      all.some((other) => /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(other)),
  },
  // ARABIC-INDIC DIGITS and EXTENDED ARABIC-INDIC DIGITS: several look alike, so they are not mixed.
  { of: /[\u0660-\u0669]/u, allows: (all) => !all.some((other) => /[\u06f0-\u06f9]/u.test(other)) },
  { of: /[\u06f0-\u06f9]/u, allows: (all) => !all.some((other) => /[\u0660-\u0669]/u.test(other)) },
];
