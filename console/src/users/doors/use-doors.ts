import { useQuery } from '@apollo/client/react';
import { type Failure, failureOf } from '../../graph/index.ts';
import { useMay } from '../../session/index.ts';
import { PersonOriginDocument, type PersonOriginQuery } from '../access/generated/access.ts';
import { PersonDoorsDocument, type PersonDoorsQuery } from './generated/doors.ts';

export type Doors = NonNullable<PersonDoorsQuery['user']>;

/** Access paths of a user, for the parts of the page. */
export interface AccessPathsProps {
  id: string;
  doors: Doors | undefined;
  /** Owned objects except identity sources. */
  owned: Pick<PersonDoorsQuery, 'clients' | 'serviceAccounts' | 'apiKeys'> | undefined;
  isLoading: boolean;
  failure: Failure | undefined;
  refetch(): void;
}

export interface OriginProps {
  origin: PersonOriginQuery | undefined;
  isLoading: boolean;
  failure: Failure | undefined;
  refetch(): void;
}

/** Sends one request per service: if one is unavailable, the data of the others is shown. */
export function useAccessPaths(id: string): { ofAuth: AccessPathsProps; ofProvisioning: OriginProps } {
  const doors = useMay('sessions:read');
  const roles = useMay('roles:read', 'roles:write');
  const owned = useMay('clients:read');
  const origin = useMay('provisioning:read');
  const connectors = useMay('connectors:read');
  const auth = useQuery(PersonDoorsDocument, {
    variables: { id, doors, roles, owned },
    skip: !doors && !roles && !owned,
  });
  const provisioning = useQuery(PersonOriginDocument, {
    variables: { id, origin, connectors },
    skip: !origin && !connectors,
  });
  return {
    ofAuth: {
      id,
      doors: auth.data?.user ?? undefined,
      owned: auth.data,
      isLoading: auth.loading && !auth.data,
      failure: auth.error && failureOf(auth.error),
      refetch: () => void auth.refetch(),
    },
    ofProvisioning: {
      origin: provisioning.data,
      isLoading: provisioning.loading && !provisioning.data,
      failure: provisioning.error && failureOf(provisioning.error),
      refetch: () => void provisioning.refetch(),
    },
  };
}
