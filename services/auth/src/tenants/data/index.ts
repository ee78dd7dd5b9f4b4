export { type Brandings, createBrandings } from './branding.ts';
export { RegisteredWebOrigins } from './web-origins.ts';
