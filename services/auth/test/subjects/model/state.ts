export interface Token {
  epoch: number;
  /** Departures the directory had acknowledged when it was issued. */
  departuresBefore: number;
  /** Auth knew of all those departures: nothing but a later one may end it. */
  safe: boolean;
}

export type Delivery = 'unwritten' | 'pending' | 'enqueued' | 'confirmed';

export interface Hand {
  event: number;
  committed: boolean;
}

export interface State {
  /** Versions the directory has committed, without the first. */
  done: number;
  deliveries: Delivery[];
  /** The event a relay has given to Redis (or marked) without having finished. */
  relaying: number | null;
  /** Jobs in Redis, by event, in no order. */
  jobs: number[];
  /** What workers have in hand, in no order: an event, and whether its effect is committed. */
  workers: Hand[];
  inbox: number[];
  /** How often each event has had its effect. */
  effects: number[];
  /** Null until an event about the user is processed. */
  subject: {
    active: boolean;
    deleted: boolean;
    version: number;
    departedVersion: number;
    reportedVersion: number;
    epoch: number;
  } | null;
  /** Versions of the departures that have a report, each as often as it was reported. */
  reports: number[];
  tokens: Token[];
  /** Highest epoch in the durable feed, in a push under way, and at the verifier. */
  feed: number;
  push: number | null;
  verifier: number;
  faults: number;
}
