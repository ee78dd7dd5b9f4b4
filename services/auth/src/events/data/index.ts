export {
  eventPublisher,
  tellOfClosedDoors,
  tellOfCredentials,
  tellOfEndedClient,
  tellOfEndedGrants,
  tellOfEndedSessions,
} from './event-publisher.ts';
export { deliveriesChannel, postgresFacts, wakeWorkers } from './facts.ts';
