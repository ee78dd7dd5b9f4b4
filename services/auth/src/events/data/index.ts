export {
  eventPublisher,
  tellOfClosedDoors,
  tellOfCredentials,
  tellOfEndedClient,
  tellOfEndedGrants,
  tellOfEndedSessions,
} from './event-publisher.ts';
export { appendDeliveries, deliveriesChannel, postgresFacts, wakeWorkers } from './facts.ts';
