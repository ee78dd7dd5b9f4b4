export const receiverKinds = ['webhook', 'ssf', 'backchannel_logout'] as const;

/** How somebody is told. A webhook and a stream of security events (SSF) are receivers; logout tokens go to clients. */
export type ReceiverKind = (typeof receiverKinds)[number];

/** A message for one receiver that isn't a fact they subscribed to (a logout token, a test). */
export interface NewDelivery {
  receiverKind: ReceiverKind;
  /** A receiver's id; for backchannel_logout the client's. */
  receiverId: string;
  /** Deliveries of one receiver and key go out in the order in which they were written (`subjectKeyOf`). */
  subjectKey: string;
  /** What the sender needs to know. */
  payload: Record<string, unknown>;
  /** It goes out although the receiver is paused or disabled: it tells of that. */
  regardless?: boolean;
}
