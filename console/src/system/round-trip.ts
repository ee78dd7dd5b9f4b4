import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { type Failure, failureOf } from '../graph/index.ts';
import { SystemRoundTripDocument } from './generated/system.ts';

const measureEveryMs = 5000;
const kept = 20;

/** Measures the round-trip times of the smallest query, in milliseconds. */
export function useRoundTrips(): { times: readonly number[]; failure: Failure | undefined } {
  const client = useApolloClient();
  const [state, setState] = useState<{ times: readonly number[]; failure: Failure | undefined }>({
    times: [],
    failure: undefined,
  });
  useEffect(() => {
    let isOver = false;
    const measure = async () => {
      const begun = performance.now();
      const { error } = await client
        .query({ query: SystemRoundTripDocument, fetchPolicy: 'no-cache' })
        .catch((thrown: unknown) => ({ error: thrown }));
      if (isOver) return;
      const took = performance.now() - begun;
      setState(({ times }) =>
        error
          ? { times, failure: failureOf(error) }
          : { times: [...times, took].slice(-kept), failure: undefined },
      );
    };
    void measure();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void measure();
    }, measureEveryMs);
    return () => {
      isOver = true;
      clearInterval(timer);
    };
  }, [client]);
  return state;
}

export function median(times: readonly number[]): number | undefined {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)];
}
