export { PostgresEventDeliveries } from './deliveries.ts';
