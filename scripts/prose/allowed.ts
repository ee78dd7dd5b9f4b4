import type { Allowed } from './figures.ts';

/** Phrases that are not counted. */
export const allowed: readonly Allowed[] = [
  {
    text: 'When a person leaves, every door closes',
    reason: 'The slogan of the product, the one place where a door is a figure of speech.',
  },
  { text: 'personal access token', reason: 'The established name.' },
];
