export { AccessEnds } from './domain/access-ends.ts';
export {
  type EventConsumerName,
  type EventDeliveries,
  eventConsumers,
  type Mending,
} from './domain/deliveries.ts';
