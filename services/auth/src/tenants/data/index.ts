export type { Brandings } from '../domain/branding.ts';
export { createBrandings } from './branding.ts';
export { RegisteredWebOrigins } from './web-origins.ts';
