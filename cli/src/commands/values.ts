import { Failure } from '../failure.ts';
import type { Arguments } from './definition.ts';

/** Parses a numeric option. @throws Failure usage */
export function wholeNumber(
  given: Arguments,
  name: string,
  { from, to }: { from: number; to: number },
): number {
  const text = given.text(name) ?? '';
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= from && value <= to) return value;
  throw new Failure('usage', `--${name} must be a whole number from ${from} to ${to}.`);
}

/** Parses an option that is a time, in the format of the graph. @throws Failure usage */
export function time(given: Arguments, name: string): string | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  if (amount !== undefined && unit !== undefined) {
    const minutes = { m: 1, h: 60, d: 1_440 }[unit] ?? 1;
    return new Date(Date.now() - Number(amount) * minutes * 60_000).toISOString();
  }
  if (!Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  throw new Failure('usage', `--${name} must be a time such as 2026-05-01T00:00:00Z, or 30m, 12h or 7d ago.`);
}

export const secretLine = 'The secret is shown only now.';
