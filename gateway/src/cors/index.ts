export { noWebOrigins, RegisteredWebOrigins } from './domain/web-origins.ts';
