import { badUserInput } from '@ostiary/graph';

/** @throws BAD_USER_INPUT for a text that PostgreSQL has no way to hold */
export function storable(text: string): string {
  if (text.includes('\u0000')) throw badUserInput('A filter must not contain NUL.');
  return text;
}
