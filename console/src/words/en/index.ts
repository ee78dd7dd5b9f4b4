import type { first } from './first.ts';
import type { rest } from './rest.ts';

export type FirstWords = typeof first;
export type OtherWords = typeof rest;

/** All there is to say, as English says it; what the first page doesn't say is loaded after it. */
export type Words = FirstWords & OtherWords;
