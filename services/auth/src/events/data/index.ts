export { appendDeliveries, deliveriesChannel, wakeWorkers } from './facts.ts';
