export { AccessEnds } from './domain/access-ends.ts';
export { type EventConsumerName, type EventDeliveries, eventConsumers } from './domain/deliveries.ts';
