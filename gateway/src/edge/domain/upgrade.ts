/** Source of an upgrade request. */
export interface UpgradeOrigin {
  requestId: string;
  address: string;
}

/** Response with which an upgrade request is rejected. */
export interface UpgradeRefusal {
  readonly status: number;
  readonly headers?: Record<string, string>;
  /** Cause of a 5xx, for the log. */
  readonly cause?: unknown;
}
