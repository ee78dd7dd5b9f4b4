/** Use of a displayed text, which determines the permitted invisible characters. */
export type ShownText =
  /** Identifier of a user or object. */
  | 'identifier'
  /** Name of a user or object, with the joiners and variation selectors that languages need. */
  | 'name';

/** Control characters, line separators, and characters that change the direction of the text around them. */
const disturbing = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
/** Invisible letters and spaces. */
const blank = /[\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2064\u3164\ufeff\uffa0\ufff9-\ufffb]/u;
const ignorable = /\p{Default_Ignorable_Code_Point}/u;
const onlyAscii = /^[\u0020-\u007e]*$/;

/** Returns the reason why a text must not be displayed; undefined if there is none. */
export function shownTextProblem(text: string, kind: ShownText): string | undefined {
  if (onlyAscii.test(text)) return undefined;
  const match =
    disturbing.exec(text) ?? blank.exec(text) ?? (kind === 'identifier' ? ignorable.exec(text) : null);
  return match === null
    ? undefined
    : `It cannot contain ${describe(match[0])}, which readers cannot recognize.`;
}

/** Describes a code point readably, even an invisible one. */
export function describe(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (/\p{Bidi_Control}/u.test(character)) return `the bidirectional control character ${code}`;
  if (/\p{Cc}/u.test(character)) return `the control character ${code}`;
  if (ignorable.test(character)) return `the invisible character ${code}`;
  return /\p{M}|\p{Z}|\p{C}/u.test(character) ? code : `“${character}” (${code})`;
}
