import type { Cost } from './counted-system.ts';

export const budgets: Record<string, Omit<Cost, 'asked'>> = {};
