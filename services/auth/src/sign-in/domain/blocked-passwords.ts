import { userNameKey } from '@ostiary/scim';
import { dictionary } from '@zxcvbn-ts/language-common';

/** What is on the lists of passwords that were found in breaches, as they are there: in lower case. About 4 MB, read once. */
const found: ReadonlySet<string> = new Set(dictionary['passwords-common']);

/** Longer ones aren't made of two that are on a list, and looking for where they join would cost too much. */
const longestJoined = 64;
/** Beside a word that everybody tries there must be as much as NIST asks of a whole password (SP 800-63B §3.1.1.2). */
const leastBesideWords = 8;
/** So many characters around a blocked password are tried with it by every program that guesses. */
const mostAround = 6;

/**
 * Whether a program that guesses comes by the password early: it was in a breach, as it is or with what people add to such a
 * one; it is one thing repeated, or a sequence; or it is hardly more than words that belong to the person or the tenant.
 * @param words names and terms, in any form
 */
export function isGuessable(password: string, words: readonly string[]): boolean {
  const plain = userNameKey(password.normalize('NFKC'));
  if (isBlocked(plain) || isMonotonous(plain)) return true;
  const rest = without(plain, words);
  return rest !== plain && ([...rest].length < leastBesideWords || isBlocked(rest));
}

function isBlocked(plain: string): boolean {
  const compact = plain.replace(/[\s._-]+/g, '');
  return [compact, undisguised(compact)].some(
    (text) => found.has(text) || isAdornedOne(text) || isRepeated(text) || isJoined(text),
  );
}

/** What people write for letters, and every guessing program reads back. */
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
  // What stands around the letters is a number or a mark, not a disguise.
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
  if (text.length > longestJoined) return false;
  for (let at = 3; at <= text.length - 3; at += 1) {
    if (found.has(text.slice(0, at)) && found.has(text.slice(at))) return true;
  }
  return false;
}

/** 123456789012, abcdefghijkl: nearly every character is the one before, or next to it. */
function isMonotonous(text: string): boolean {
  const points = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = points.slice(1).filter((point, index) => Math.abs(point - (points[index] ?? 0)) <= 1);
  return points.length > 1 && steps.length >= 0.8 * (points.length - 1);
}

/** Words of fewer characters are in too much else. */
const leastWord = 4;

function without(plain: string, words: readonly string[]): string {
  const parts = words
    .flatMap((word) => {
      const whole = userNameKey(word.normalize('NFKC'));
      return [whole, ...whole.split(/[^\p{L}\p{N}]+/u)];
    })
    .filter((part) => part.length >= leastWord)
    // The longest first: what is left of it would be taken for something else.
    .sort((one, other) => other.length - one.length);
  return [...new Set(parts)].reduce((rest, part) => rest.replaceAll(part, ''), plain);
}
