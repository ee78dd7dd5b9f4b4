export interface Token {
  epoch: number;
  /** Number of offboardings that the directory had acknowledged when it was issued. */
  offboardingsBefore: number;
  /** Auth had processed all those offboardings: only a later one may revoke it. */
  safe: boolean;
}

export type Delivery = 'unwritten' | 'pending' | 'enqueued' | 'confirmed';

export interface Hand {
  event: number;
  committed: boolean;
}

export interface State {
  /** Number of versions that the directory has committed, without the first. */
  done: number;
  deliveries: Delivery[];
  /** Event that a relay has sent to Redis (or marked) without having finished. */
  relaying: number | null;
  /** Jobs in Redis, by event, unordered. */
  jobs: number[];
  /** Jobs of workers, unordered: an event, and whether its effect is committed. */
  workers: Hand[];
  inbox: number[];
  /** Number of effects of each event. */
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
  /** Versions of the reported offboardings, one per report. */
  reports: number[];
  tokens: Token[];
  /** Highest epoch in the durable feed, in a current push, and at the verifier. */
  feed: number;
  push: number | null;
  verifier: number;
  faults: number;
}
