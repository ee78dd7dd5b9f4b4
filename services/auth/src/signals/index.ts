export { backchannelLogoutSender } from './domain/backchannel-logout-sender.ts';
export type { DeliveryState, Senders } from './domain/delivery.ts';
export { createSignalPolls, type SignalPolls } from './domain/polls.ts';
export { createSignalPush } from './domain/push.ts';
export { receiverContext } from './domain/receiver-secrets.ts';
export { createSignalStreams, type SignalStreams } from './domain/streams.ts';
export { createTransmission, type Transmission } from './domain/transmission.ts';
export { createWebhookSender } from './domain/webhook-sender.ts';
