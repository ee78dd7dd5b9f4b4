import { useSession } from '../session/index.ts';

/** Where identity sources of the tenant find SCIM. */
export function useScimAddress(): string {
  const { configuration, tenant } = useSession();
  return `${configuration.issuerBase}${encodeURIComponent(tenant)}/scim/v2`;
}
