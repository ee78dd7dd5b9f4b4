import { extname } from 'node:path';

/** URL of a program beside this file: compiled when this is, TypeScript when it runs from source (tests). */
export const program = (name: string): URL =>
  new URL(`./${name}${extname(new URL(import.meta.url).pathname)}`, import.meta.url);
