export type { DeliveryState } from './domain/delivery.ts';
