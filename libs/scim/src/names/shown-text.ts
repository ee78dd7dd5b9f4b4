/** What a text is to people, which decides about what can't be seen in it. */
export type ShownText =
  /** By which a user or a thing is recognised. */
  | 'identifier'
  /** What a user or a thing is called. Joiners and variation selectors belong to how languages are written. */
  | 'name';

/** Control characters and separators of lines, and what turns the direction of the text around it. */
const disturbing = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u;
/** Letters and spaces that look like nothing. */
const blank = /[\u115f\u1160\u17b4\u17b5\u180e\u200b\u2060-\u2064\u3164\ufeff\uffa0\ufff9-\ufffb]/u;
const ignorable = /\p{Default_Ignorable_Code_Point}/u;
const onlyAscii = /^[\u0020-\u007e]*$/;

/** Why a text can't be kept as something that people are shown; undefined when it can. */
export function shownTextProblem(text: string, kind: ShownText): string | undefined {
  if (onlyAscii.test(text)) return undefined;
  const match =
    disturbing.exec(text) ?? blank.exec(text) ?? (kind === 'identifier' ? ignorable.exec(text) : null);
  return match === null
    ? undefined
    : `It can't contain ${describe(match[0])}, which readers cannot recognize.`;
}

/** A code point in words that can be read even when it can't be seen. */
export function describe(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  if (/\p{Bidi_Control}/u.test(character)) return `the bidirectional control character ${code}`;
  if (/\p{Cc}/u.test(character)) return `the control character ${code}`;
  if (ignorable.test(character)) return `the invisible character ${code}`;
  return /\p{M}|\p{Z}|\p{C}/u.test(character) ? code : `“${character}” (${code})`;
}
