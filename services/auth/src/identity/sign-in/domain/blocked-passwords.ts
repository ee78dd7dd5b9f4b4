import { userNameKey } from '@ostiary/scim';
import { dictionary } from '@zxcvbn-ts/language-common';

/** Breached passwords in lower case, as in the dictionary. About 4 MB, read once. */
const found: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/**
 * Maximum length for the test for two joined passwords, in characters. Longer ones are rarely joined, and the test is
 * expensive.
 */
const maxJoinedLength = 64;
/** Minimum number of characters besides blocked words, as NIST requires of a whole password (SP 800-63B §3.1.1.2). */
const minBesideWords = 8;
/** Maximum number of characters around a blocked password that guessing programs try with it. */
const mostAround = 6;

/**
 * Reports whether a guessing program finds the password early: a breached one, also with common additions; a
 * repetition or sequence; or mostly words of the user or tenant.
 * @param words names and terms, in any form
 */
export function isGuessable(password: string, words: readonly string[]): boolean {
  const plain = userNameKey(password.normalize('NFKC'));
  if (isBlocked(plain) || isMonotonous(plain)) return true;
  const rest = without(plain, words);
  return rest !== plain && ([...rest].length < minBesideWords || isBlocked(rest));
}

function isBlocked(plain: string): boolean {
  const compact = plain.replace(/[\s._-]+/g, '');
  return [compact, undisguised(compact)].some(
    (text) => found.has(text) || isAdornedOne(text) || isRepeated(text) || isJoined(text),
  );
}

/** Common substitutes for letters, which guessing programs reverse. */
const disguises: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
function undisguised(text: string): string {
  // Digits and marks before and after the letters are not substitutes.
  const [, before = '', core = '', after = ''] = /^([^\p{L}@$]*)(.*?)([^\p{L}@$]*)$/su.exec(text) ?? [];
  return before + core.replace(/[013457@$!]/g, (character) => disguises[character] ?? character) + after;
}

/** password2026!, 123password */
function isAdornedOne(text: string): boolean {
  const core = text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  if (core.length < 4 || core === text || !found.has(core)) return false;
  const [before = '', after = ''] = text.split(core, 2);
  const added = [before, after].filter((part) => !found.has(part.replace(/[^\p{L}\p{N}]+$/u, '')));
  return added.join('').length <= mostAround;
}

/** passwordpassword, abcabcabcabc */
function isRepeated(text: string): boolean {
  const period = (text + text).indexOf(text, 1);
  return period < text.length && (period <= 6 || found.has(text.slice(0, period)));
}

/** passwordqwerty */
function isJoined(text: string): boolean {
  if (text.length > maxJoinedLength) return false;
  for (let at = 3; at <= text.length - 3; at += 1) {
    if (found.has(text.slice(0, at)) && found.has(text.slice(at))) return true;
  }
  return false;
}

/** 123456789012, abcdefghijkl: at least 80 % of the characters equal the previous one or are adjacent to it. */
function isMonotonous(text: string): boolean {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = points.slice(1).filter((point, index) => Math.abs(point - (points[index] ?? 0)) <= 1);
  return points.length > 1 && steps.length >= 0.8 * (points.length - 1);
}

/** Minimum length of a blocked word. Shorter ones occur in too many other words. */
const minWord = 4;

function without(plain: string, words: readonly string[]): string {
  const parts = words
    .flatMap((word) => {
      const whole = userNameKey(word.normalize('NFKC'));
      return [whole, ...whole.split(/[^\p{L}\p{N}]+/u)];
    })
    .filter((part) => part.length >= minWord)
    // The longest first, because the rest of a partly removed word would count as other characters.
    .sort((one, other) => other.length - one.length);
  return [...new Set(parts)].reduce((rest, part) => rest.replaceAll(part, ''), plain);
}
