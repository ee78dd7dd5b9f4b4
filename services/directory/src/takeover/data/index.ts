export { missingEvents } from './missing-events.ts';
