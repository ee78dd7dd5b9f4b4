import { useEffect, useState } from 'react';
import * as v from 'valibot';
import { useSession } from '../session/index.ts';

const schema = v.object({
  issuer: v.string(),
  authorization_endpoint: v.string(),
  token_endpoint: v.string(),
  userinfo_endpoint: v.optional(v.string()),
  jwks_uri: v.string(),
  end_session_endpoint: v.optional(v.string()),
  device_authorization_endpoint: v.optional(v.string()),
  introspection_endpoint: v.optional(v.string()),
  revocation_endpoint: v.optional(v.string()),
  pushed_authorization_request_endpoint: v.optional(v.string()),
});

/** Authorization server metadata of the tenant (RFC 8414). */
export type IssuerMetadata = v.InferOutput<typeof schema>;

/** Returns the issuer identifier of the tenant. */
export function useIssuer(): string {
  const { configuration, tenant } = useSession();
  return configuration.issuerBase + tenant;
}

/** Returns the metadata; undefined until it is read, or if that fails. */
export function useIssuerMetadata(): IssuerMetadata | undefined {
  const issuer = useIssuer();
  const [metadata, setMetadata] = useState<IssuerMetadata>();
  useEffect(() => {
    const leaving = new AbortController();
    fetch(`${issuer}/.well-known/openid-configuration`, { signal: leaving.signal })
      .then(async (response) => setMetadata(v.parse(schema, await response.json())))
      .catch(() => undefined);
    return () => leaving.abort();
  }, [issuer]);
  return metadata;
}
