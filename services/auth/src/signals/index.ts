export type { DeliveryState } from './domain/delivery.ts';
export { receiverContext } from './domain/receiver-secrets.ts';
