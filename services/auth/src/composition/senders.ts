import { backchannelLogoutSender } from '../signals/domain/backchannel-logout-sender.ts';
import type { Senders } from '../signals/domain/delivery.ts';
import { SignalPush } from '../signals/domain/push.ts';
import { WebhookSender } from '../signals/domain/webhook-sender.ts';
import type { Foundation } from './dependencies.ts';
import type { Protocol } from './protocol.ts';

export function createSenders(deps: Foundation & Protocol): Senders {
  const { env, kit, safePost } = deps;
  const timeoutMs = env.DELIVERY_TIMEOUT_SECONDS * 1_000;
  return {
    webhook: new WebhookSender({
      post: safePost,
      receiverKeys: deps.keys.of('receiver'),
      timeoutSeconds: env.DELIVERY_TIMEOUT_SECONDS,
      clock: kit.clock,
    }),
    ssf: new SignalPush({
      transmission: deps.signalTransmission,
      clients: deps.clients,
      receiverKeys: deps.keys.of('receiver'),
      safePost,
      timeoutMs,
      clock: kit.clock,
    }),
    backchannel_logout: backchannelLogoutSender({
      clients: deps.clients,
      keys: deps.signingKeys,
      subjectIdentifier: deps.subjectIdentifier,
      sessionIdentifiers: deps.sessionIdentifiers,
      issuer: deps.issuer,
      post: safePost,
      timeoutMs,
      clock: kit.clock,
    }),
  };
}
