export { eventRoutes } from './internal-events.ts';
export { keepDoorsSound } from './readiness-gate.ts';
