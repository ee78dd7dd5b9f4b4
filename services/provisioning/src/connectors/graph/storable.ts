import { badUserInput } from '@ostiary/graph';

/** @throws BAD_USER_INPUT for a text with NUL, which PostgreSQL cannot store */
export function storable(text: string): string {
  if (text.includes('\u0000')) throw badUserInput('A filter must not contain NUL.');
  return text;
}
