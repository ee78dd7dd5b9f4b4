export { signingKeyEndpoints } from './internal-signing-keys.ts';
export { jwksEndpoint } from './jwks.ts';
