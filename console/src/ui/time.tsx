import { useEffect, useState } from 'react';
import { useFormatter } from '../words/index.ts';

/** A time in the reader's time zone, with the exact UTC time on hover. */
export function Time({
  at,
  relative = false,
  seconds = false,
}: {
  at: string;
  relative?: boolean;
  /** Shows seconds, where the order matters. */
  seconds?: boolean;
}) {
  const format = useFormatter();
  const date = new Date(at);
  const now = useNow(relative);
  return (
    <time dateTime={at} title={date.toISOString()}>
      {relative
        ? format.relativeTime(date, { now, style: 'short' })
        : format.dateTime(date, { dateStyle: 'medium', timeStyle: seconds ? 'medium' : 'short' })}
    </time>
  );
}

function useNow(moves: boolean): Date {
  const [, setTicks] = useState(0);
  useEffect(() => {
    if (!moves) return;
    const timer = setInterval(() => setTicks((ticks) => ticks + 1), 30_000);
    return () => clearInterval(timer);
  }, [moves]);
  // Relative to the time of rendering: an event that has just occurred must not appear to be in the future.
  return new Date();
}
