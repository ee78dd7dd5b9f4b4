import { quote } from '../errors.ts';
import type { ComparisonValue } from './ast.ts';

/** Error of a text that is not a filter or path. `offset` counts UTF-16 code units from the start. */
export class FilterSyntaxError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`${message} at offset ${offset}.`);
    this.offset = offset;
  }
}

const number = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const wordCharacter = /[A-Za-z0-9_.:$-]/;
const literals: ReadonlyMap<string, ComparisonValue> = new Map<string, ComparisonValue>([
  ['true', true],
  ['false', false],
  ['null', null],
]);

/**
 * Reads the tokens of a filter from left to right in linear time. The parser states the expected token,
 * because only the position distinguishes operators from names.
 */
export class Lexer {
  readonly #text: string;
  #offset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get offset(): number {
    return this.#offset;
  }

  get atEnd(): boolean {
    return this.#offset >= this.#text.length;
  }

  /** Skips spaces. @returns whether there were any */
  skipSpaces(): boolean {
    const start = this.#offset;
    while (this.#text[this.#offset] === ' ' || this.#text[this.#offset] === '\t') this.#offset += 1;
    return this.#offset > start;
  }

  /** Consumes the character if it is next. */
  take(character: string): boolean {
    if (this.#text[this.#offset] !== character) return false;
    this.#offset += 1;
    return true;
  }

  isNext(character: string): boolean {
    return this.#text[this.#offset] === character;
  }

  /** Consumes a run of characters of names, URNs and operators; empty if there is none. */
  takeWord(): string {
    const start = this.#offset;
    while (this.#offset < this.#text.length && wordCharacter.test(this.#text.charAt(this.#offset)))
      this.#offset += 1;
    return this.#text.slice(start, this.#offset);
  }

  /**
   * Consumes a comparison value: a JSON string, number, `true`, `false` or `null` (RFC 7644 §3.4.2.2
   * compValue).
   */
  takeValue(): ComparisonValue {
    if (this.isNext('"')) return this.#takeString();
    number.lastIndex = this.#offset;
    const digits = number.exec(this.#text)?.[0];
    if (digits !== undefined) {
      const value = Number(digits);
      if (!Number.isFinite(value)) this.fail('The number is too large');
      this.#offset += digits.length;
      return value === 0 ? 0 : value;
    }
    const start = this.#offset;
    const literal = literals.get(this.takeWord());
    if (literal === undefined)
      this.fail('Expected a string in double quotes, a number, true, false or null', start);
    return literal;
  }

  #takeString(): string {
    const start = this.#offset;
    let end = start + 1;
    while (end < this.#text.length && this.#text[end] !== '"') end += this.#text[end] === '\\' ? 2 : 1;
    if (end >= this.#text.length) this.fail('The string is not closed', start);
    let value: string;
    try {
      value = JSON.parse(this.#text.slice(start, end + 1)) as string;
    } catch {
      this.fail('The string is not a JSON string', start);
    }
    this.#offset = end + 1;
    return value;
  }

  /** Describes the next token for an error. */
  describeNext(): string {
    return this.atEnd ? 'the end' : quote(this.#text.slice(this.#offset, this.#offset + 20));
  }

  fail(message: string, offset: number = this.#offset): never {
    throw new FilterSyntaxError(message, offset);
  }
}
