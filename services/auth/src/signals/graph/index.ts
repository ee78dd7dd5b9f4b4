export { deliveryResolvers } from './deliveries.ts';
export { signalStreamResolvers } from './signal-streams.ts';
export { webhookResolvers } from './webhooks.ts';
