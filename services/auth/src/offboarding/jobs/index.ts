export { DepartureMetrics } from './departure-metrics.ts';
