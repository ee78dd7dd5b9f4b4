export { undeliveredEvents } from './undelivered-events.ts';
