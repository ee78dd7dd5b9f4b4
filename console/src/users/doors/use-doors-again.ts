import { useApolloClient } from '@apollo/client/react';
import { useCallback, useEffect, useRef } from 'react';

const shown = new Set(['PersonDoors', 'PersonOrigin', 'DeparturesOfPerson']);

/** Many doors that close at once are read anew once. */
const pauseMs = 250;

/** Reads anew what is shown of somebody's doors, after something closed some of them elsewhere. */
export function useDoorsAgain(): () => void {
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
