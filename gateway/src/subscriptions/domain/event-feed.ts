import type { LiveWindow, Placed } from './event-window.ts';

/** Callbacks of a feed. */
export interface FeedListeners {
  /** A new event, in the order of the stream. */
  readonly onEvent: (placed: Placed) => void;
  /** Events may have been lost: every subscriber must be notified. */
  readonly onGap: () => void;
}

/** The process's only source of live events. */
export interface EventFeed {
  /** The events in memory; undefined until the stream has been read for the first time. */
  readonly window: LiveWindow | undefined;
  /** Whether events arrive now. */
  readonly connected: boolean;
  /**
   * Resolves when there are events to serve, or shortly after the start without them, so that no client waits for an
   * unavailable feed.
   */
  begun(): Promise<void>;
  /** Starts reading and returns immediately. */
  start(): void;
  stop(): Promise<void>;
}
