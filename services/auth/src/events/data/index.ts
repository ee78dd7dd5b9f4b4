export { eventPublisher, tellOfCredentials, tellOfEndedClient } from './event-publisher.ts';
export { appendDeliveries, deliveriesChannel, postgresFacts, wakeWorkers } from './facts.ts';
