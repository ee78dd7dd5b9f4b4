export { startDeliveries } from './deliveries.ts';
