import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { useMemo, useState } from 'react';
import { type Failure, failureOf } from '../graph/index.ts';
import { useMay } from '../session/index.ts';
import { type Findings as AllFindings, soonMs } from './attention.ts';
import {
  OverviewExpiringDocument,
  OverviewNamesDocument,
  OverviewOwnerlessDocument,
  OverviewPolicyDocument,
  OverviewReceiversDocument,
} from './generated/attention.ts';
import { OverviewFailedRequestsDocument, OverviewSourcesDocument } from './generated/figures.ts';

export type Findings = Omit<AllFindings, 'departures' | 'now'>;

const readAgainMs = 30_000;
const dayMs = 86_400_000;

/** Runs all checks that the user may read. */
export function useFindings(): { findings: Findings; isKnown: boolean; failures: readonly Failure[] } {
  const [{ since, before }] = useState(() => ({
    since: new Date(Date.now() - dayMs).toISOString(),
    before: new Date(Date.now() + soonMs).toISOString(),
  }));
  const receivers = useLook(OverviewReceiversDocument, {}, useMay('webhooks:read'));
  const sources = useLook(OverviewSourcesDocument, {}, useMay('connectors:read'));
  const failed = useLook(OverviewFailedRequestsDocument, { since }, useMay('provisioning:read'));
  const expiring = useLook(OverviewExpiringDocument, { before }, useMay('clients:read'));
  const ownerless = useLook(OverviewOwnerlessDocument, {}, useMay('clients:read'));
  const names = useLook(OverviewNamesDocument, {}, useMay('users:read'));
  const policy = useLook(OverviewPolicyDocument, {}, useMay('tenants:read'));
  const all = [receivers, sources, failed, expiring, ownerless, names, policy];
  const findings = useMemo(
    () => ({
      receivers: receivers.data,
      sources: sources.data?.connectors,
      failedRequests: failed.data?.provisioningLog,
      expiring: expiring.data,
      ownerless: ownerless.data,
      names: names.data,
      policy: policy.data?.tenantPolicy,
    }),
    [receivers.data, sources.data, failed.data, expiring.data, ownerless.data, names.data, policy.data],
  );
  return {
    findings,
    isKnown: all.every(({ isSettled }) => isSettled),
    failures: all.flatMap(({ failure }) => (failure ? [failure] : [])),
  };
}

interface Look<Data> {
  data: Data | undefined;
  failure: Failure | undefined;
  /** Completed without an error, or not permitted. */
  isSettled: boolean;
}

function useLook<Data, Variables extends OperationVariables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  may: boolean,
): Look<Data> {
  // Whether the options are required depends on the type of the variables, which is generic here.
  const options = { variables, pollInterval: readAgainMs, skip: !may } as unknown as useQuery.Options<
    Data,
    OperationVariables
  >;
  const { data, error } = useQuery(document as TypedDocumentNode<Data>, options);
  return {
    data: data as Data | undefined,
    failure: error && failureOf(error),
    isSettled: !may || (data !== undefined && error === undefined),
  };
}
