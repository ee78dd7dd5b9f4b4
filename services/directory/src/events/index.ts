export { AccessEnds } from './domain/access-ends.ts';
export { type EventDeliveries, eventConsumers } from './domain/deliveries.ts';
