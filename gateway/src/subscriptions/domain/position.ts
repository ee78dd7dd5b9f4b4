/** Position of a subscriber in the stream of events. Its text is opaque to clients. */
export interface Position {
  /** Milliseconds since the epoch, by the clock of Redis. */
  readonly ms: number;
  readonly seq: number;
}

const pattern = /^(\d{1,15})-(\d{1,10})$/;

/** @returns undefined for a text that is no position */
export function parsePosition(text: string): Position | undefined {
  const match = pattern.exec(text);
  return match ? { ms: Number(match[1]), seq: Number(match[2]) } : undefined;
}

export const positionText = ({ ms, seq }: Position): string => `${ms}-${seq}`;

/** Returns a negative number when `a` comes before `b`, 0 when they are equal. */
export const comparePositions = (a: Position, b: Position): number => a.ms - b.ms || a.seq - b.seq;

export const later = (a: Position, b: Position): Position => (comparePositions(a, b) >= 0 ? a : b);
