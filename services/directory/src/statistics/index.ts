export { TenantStatistics } from './domain/statistics.ts';
