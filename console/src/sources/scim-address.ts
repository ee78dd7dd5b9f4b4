import { useSession } from '../session/index.ts';

/** Returns the SCIM base URL of the tenant. */
export function useScimAddress(): string {
  const { configuration, tenant } = useSession();
  return `${configuration.issuerBase}${encodeURIComponent(tenant)}/scim/v2`;
}
