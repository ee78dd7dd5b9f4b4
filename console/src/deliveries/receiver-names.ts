import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { DeliveryReceiversDocument } from './generated/deliveries.ts';

/**
 * Returns the names of receivers by id; for streams the name of the client. Receivers of back-channel logout are not
 * included.
 */
export function useReceiverNames(): { names: ReadonlyMap<string, string> } {
  const { data } = useQuery(DeliveryReceiversDocument, { fetchPolicy: 'cache-first' });
  const names = useMemo(() => {
    const webhooks = (data?.webhooks?.edges ?? []).flatMap(({ node }) =>
      node ? [[node.id, node.name] as const] : [],
    );
    const streams = (data?.signalStreams?.edges ?? []).flatMap(({ node }) =>
      node ? [[node.id, node.client?.name ?? node.description ?? node.id] as const] : [],
    );
    return new Map([...webhooks, ...streams]);
  }, [data]);
  return { names };
}
