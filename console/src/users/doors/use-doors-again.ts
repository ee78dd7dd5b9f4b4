import { useApolloClient } from '@apollo/client/react';
import { useCallback, useEffect, useRef } from 'react';

const shown = new Set(['PersonDoors', 'PersonOrigin', 'DeparturesOfPerson']);

/** Delay in milliseconds that combines several closings into one read. */
const pauseMs = 250;

/** Returns a function that reads the access paths again, after a change from elsewhere. */
export function useAccessPathsAgain(): () => void {
  const client = useApolloClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      for (const query of client.getObservableQueries('active'))
        if (shown.has(query.queryName ?? '')) void query.refetch();
    }, pauseMs);
  }, [client]);
}
