/** Bidi_Class as far as the rule needs it; AL counts as R, and all classes without direction are N. */
type Direction = 'L' | 'R' | 'AN' | 'EN' | 'NSM' | 'N';

/**
 * Bidi Rule (RFC 5893 §2): a text with right-to-left letters is displayed in its logical order. Only for
 * texts whose code points the IdentifierClass allows; the directions of others are not listed here.
 */
export function followsBidiRule(text: string): boolean {
  const directions = [...text].map(directionOf);
  // The conditions apply only to texts with right-to-left characters.
  if (!directions.some((direction) => direction === 'R' || direction === 'AN')) return true;
  const first = directions[0];
  const last = directions.findLast((direction) => direction !== 'NSM');
  // Conditions 1, 5 and 6: a left-to-right text has no right-to-left characters.
  if (first !== 'R') return false;
  // Condition 2.
  if (directions.includes('L')) return false;
  // Condition 4.
  if (directions.includes('EN') && directions.includes('AN')) return false;
  // Condition 3.
  return last === 'R' || last === 'EN' || last === 'AN';
}

/** Blocks with right-to-left letters (Unicode, DerivedBidiClass). */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const arabicNumber = /[\u0660-\u0669\u{10d30}-\u{10d39}\u{10d40}-\u{10d49}]/u;
const europeanNumber = /[0-9\u06f0-\u06f9]/u;
/** Marks with the direction of their base character; five of them occupy space. */
const nonspacing = /(?![\u0cbf\u0cc6\u{11a07}\u{11a08}\u{11c3f}])[\p{Mn}\p{Me}]/u;
const neutral =
  /[\u0021-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e\u00b7\u02b9\u02ba\u02c6-\u02cf\u02ec\u0375\u2e2f\u30fb\ua67f\ua717-\ua71f\ua788]/u;

function directionOf(character: string): Direction {
  if (europeanNumber.test(character)) return 'EN';
  if (neutral.test(character)) return 'N';
  if (character < '\u0300') return 'L';
  if (nonspacing.test(character)) return 'NSM';
  if (arabicNumber.test(character)) return 'AN';
  return rightToLeft.test(character) ? 'R' : 'L';
}
