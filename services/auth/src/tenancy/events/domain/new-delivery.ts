export const receiverKinds = ['webhook', 'ssf', 'backchannel_logout'] as const;

/** Kind of receiver. Webhooks and streams of security events (SSF) subscribe; logout tokens go to clients. */
export type ReceiverKind = (typeof receiverKinds)[number];

/** Message to one receiver that is no subscribed fact (a logout token, a test). */
export interface NewDelivery {
  receiverKind: ReceiverKind;
  /** Id of the receiver; for backchannel_logout the client id. */
  receiverId: string;
  /** Deliveries of one receiver and key are sent in the order of their creation (`subjectKeyOf`). */
  subjectKey: string;
  payload: Record<string, unknown>;
  /** Sent even to a paused or disabled receiver, because it reports that state. */
  regardless?: boolean;
}
