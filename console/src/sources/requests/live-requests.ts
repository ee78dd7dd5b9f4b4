import { useSubscription } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import { SourceActivityDocument, type SourceRequestFragment } from './generated/requests.ts';

/** Maximum number of requests in the live list; the log contains all. */
const maxLive = 200;
const showEveryMs = 250;

/**
 * Returns requests of a source as they are processed, newest first. The list is updated four times per second at any
 * rate.
 * @param onMissed called when events were lost, so that the list is read again
 */
export function useLiveRequests(source: string, onMissed: () => void): readonly SourceRequestFragment[] {
  const [shown, setShown] = useState<readonly SourceRequestFragment[]>([]);
  const arrived = useRef<SourceRequestFragment[]>([]);
  useSubscription(SourceActivityDocument, {
    variables: { source },
    // The cache would grow as long as the page is open.
    fetchPolicy: 'no-cache',
    skip: source === '',
    onData: ({ data: { data } }) => {
      if (!data?.provisioningActivity) {
        setShown([]);
        onMissed();
        return;
      }
      const { entry } = data.provisioningActivity;
      if (!entry) return;
      arrived.current.push(entry);
      if (arrived.current.length > maxLive) arrived.current.shift();
    },
  });
  useEffect(() => {
    const timer = setInterval(() => {
      if (arrived.current.length === 0) return;
      const fresh = arrived.current.reverse();
      arrived.current = [];
      setShown((before) => {
        const known = new Set(fresh.map(({ id }) => id));
        return [...fresh, ...before.filter(({ id }) => !known.has(id))].slice(0, maxLive);
      });
    }, showEveryMs);
    return () => clearInterval(timer);
  }, []);
  return shown;
}
