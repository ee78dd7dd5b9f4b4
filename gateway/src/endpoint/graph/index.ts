export { graphEndpoint } from './endpoint.ts';
