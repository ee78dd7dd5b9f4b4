import type { Conferring } from '@ostiary/graph';
import { type FactType, readingScopeOf } from '../../tenancy/index.ts';

type Input<T> = { input: T };

/** Rights of receivers of events (`@confers`). */
export const receiverRights: Conferring<unknown>['rights'] = {
  /** A receiver reads the events for the lifetime of the webhook. */
  eventsSent: ({
    input: { types, endpoint, status, name },
  }: Input<{
    types?: readonly FactType[] | null;
    endpoint?: string | null;
    status?: string | null;
    name?: string | null;
  }>) => {
    const isRenamed = typeof name === 'string' && !types && !endpoint && !status;
    return isRenamed ? undefined : (types ?? []).map(readingScopeOf);
  },
  /** The secret signs messages and reads nothing. Events go to the endpoint, which does not change. */
  webhookSecret: () => [],
};
