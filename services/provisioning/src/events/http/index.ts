export { eventRoutes } from './events.ts';
