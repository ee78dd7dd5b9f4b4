export { type EventDeliveries, eventConsumers } from './domain/deliveries.ts';
