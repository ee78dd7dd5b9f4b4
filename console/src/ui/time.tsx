import { useEffect, useState } from 'react';
import { useFormatter } from '../words/index.ts';

/** A moment in the reader's own time; exact and in UTC when it is pointed at. */
export function Time({
  at,
  relative = false,
  seconds = false,
}: {
  at: string;
  relative?: boolean;
  /** To the second, where order matters. */
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
  // As of what is drawn now: what has just happened isn't ahead.
  return new Date();
}
