/** What a receiver does with a request: takes it, says 503, never answers, or cuts the connection. */
export type Treatment = 'takes' | 'refuses' | 'hangs' | 'cuts';

/** One request. */
export interface Arrival {
  /** `webhook-id`, or `jti`. */
  id: string;
  type: string;
  tenant: string;
  subject: string;
  version: number | undefined;
  /** By performance.now(). */
  at: number;
  treatment: Treatment;
  body: string;
}
