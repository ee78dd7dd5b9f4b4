import { extname } from 'node:path';

/**
 * Returns the URL of a program beside this file: compiled if this is, TypeScript if it runs from source
 * (tests).
 */
export const program = (name: string): URL =>
  new URL(`./${name}${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
