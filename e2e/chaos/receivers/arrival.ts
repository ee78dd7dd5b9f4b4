/** Answer of a receiver: accepts, sends 503, never answers, or closes the connection. */
export type Treatment = 'takes' | 'refuses' | 'hangs' | 'cuts';

export interface Arrival {
  /** `webhook-id`, or `jti`. */
  id: string;
  type: string;
  tenant: string;
  subject: string;
  version: number | undefined;
  /** Milliseconds of performance.now(). */
  at: number;
  treatment: Treatment;
  body: string;
}
