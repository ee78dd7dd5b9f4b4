export type { Takeover } from './domain/takeover.ts';
