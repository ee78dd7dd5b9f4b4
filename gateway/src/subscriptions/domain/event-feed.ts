import type { LiveWindow, Placed } from './event-window.ts';

/** What a feed calls while it reads. */
export interface FeedListeners {
  /** An event that is new, in the order of the stream. */
  readonly onEvent: (placed: Placed) => void;
  /** Events may have been lost: every subscriber must be notified. */
  readonly onGap: () => void;
}

/** The process's one source of live events. */
export interface EventFeed {
  /** What can be served; undefined until the stream has been read for the first time. */
  readonly window: LiveWindow | undefined;
  /** Whether events arrive now. */
  readonly connected: boolean;
  /** Resolves once there is something to serve; shortly after the start also without, so that no client waits for a feed that is away. */
  begun(): Promise<void>;
  /** Starts reading; returns at once. */
  start(): void;
  stop(): Promise<void>;
}
