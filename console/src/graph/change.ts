import type { ApolloCache, OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient, useMutation } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { type Failure, failureOf, type Problem } from './problems.ts';

interface Payload {
  problems?: readonly Problem[];
}

export interface Change<Data, Input> {
  /** Resolves to the payload; to undefined after problems or a failure, which are in `problems` and `failure`. */
  run(input: Input): Promise<NonNullable<Data> | undefined>;
  isBusy: boolean;
  problems: readonly Problem[];
  failure: Failure | undefined;
  /** Clears problems and failure. */
  reset(): void;
}

/**
 * Returns a mutation with one root field and the argument `input`. Each submission has an idempotency key, which is
 * kept until a response arrives: a retry after a broken connection has no second effect.
 * @param effect optimistic update of the cache, which is reverted when the change is rejected
 */
export function useChange<Data, Variables extends OperationVariables & { input: object }>(
  document: TypedDocumentNode<Data, Variables>,
  effect?: (cache: ApolloCache, input: Omit<Variables['input'], 'idempotencyKey'>) => void,
): Change<Data, Omit<Variables['input'], 'idempotencyKey'>> {
  const { cache } = useApolloClient();
  const [mutate, { loading: isBusy }] = useMutation(document);
  // Whether the options are required depends on the type of the variables, which is generic here.
  const send = mutate as unknown as (options: {
    variables: Variables;
  }) => Promise<{ data?: Data | null; error?: unknown }>;
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [failure, setFailure] = useState<Failure>();
  const key = useRef<{ of: string; key: string }>(undefined);
  const reset = () => {
    setProblems([]);
    setFailure(undefined);
  };
  const run = async (input: object) => {
    reset();
    const of = JSON.stringify(input);
    if (key.current?.of !== of) key.current = { of, key: crypto.randomUUID() };
    const variables = { input: { ...input, idempotencyKey: key.current.key } } as unknown as Variables;
    const apply = (to: ApolloCache) => effect?.(to, input as Omit<Variables['input'], 'idempotencyKey'>);
    const layer = crypto.randomUUID();
    if (effect) cache.batch({ update: apply, optimistic: layer });
    try {
      const { data, error } = await send({ variables });
      const payload = Object.entries(data ?? {}).find(([name]) => name !== '__typename')?.[1] as
        | Payload
        | null
        | undefined;
      if (error && !payload) {
        setFailure(failureOf(error));
        return undefined;
      }
      key.current = undefined;
      if (payload?.problems?.length) {
        setProblems(payload.problems);
        return undefined;
      }
      if (effect && payload) cache.batch({ update: apply, optimistic: false });
      return (data ?? undefined) as NonNullable<Data> | undefined;
    } catch (error) {
      setFailure(failureOf(error));
      return undefined;
    } finally {
      if (effect) cache.removeOptimistic(layer);
    }
  };
  return { run, isBusy, problems, failure, reset };
}
