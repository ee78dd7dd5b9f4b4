import { useEffect, useRef, useState } from 'react';
import { Coalesced, type CoalescedTimes } from './coalesced.ts';

/** Returns a function that runs the latest work once for all calls in a short time. */
export function useCoalesced(work: () => void, times?: Partial<CoalescedTimes>): () => void {
  const latest = useRef(work);
  useEffect(() => {
    latest.current = work;
  });
  const [coalesced] = useState(() => new Coalesced(() => latest.current(), times));
  useEffect(() => () => coalesced.stop(), [coalesced]);
  return () => coalesced.call();
}
