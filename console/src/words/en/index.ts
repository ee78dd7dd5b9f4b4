import type { first } from './first.ts';
import type { rest } from './rest.ts';

export type FirstWords = typeof first;
export type OtherWords = typeof rest;

/** All texts, in the structure of the English ones. The texts of the first page are loaded first. */
export type Words = FirstWords & OtherWords;
