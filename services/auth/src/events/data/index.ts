export { eventPublisher } from './event-publisher.ts';
export { appendDeliveries, deliveriesChannel, postgresFacts, wakeWorkers } from './facts.ts';
