export { internalApiTokenEndpoint } from './internal-api-tokens.ts';
