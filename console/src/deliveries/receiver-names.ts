import { useQuery } from '@apollo/client/react';
import { useMemo } from 'react';
import { DeliveryReceiversDocument } from './generated/deliveries.ts';

/** What receivers are called, by their ids; of streams that is the app. Apps that are told of sign-outs aren't in it. */
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
