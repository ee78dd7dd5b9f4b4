export { ssfRoutes } from './ssf.ts';
