export { createDepartureMetrics, type DepartureMetrics } from './departure-metrics.ts';
