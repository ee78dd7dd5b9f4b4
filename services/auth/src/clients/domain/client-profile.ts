/** A profile that a client is registered for (`fapi2.ts`). */
export type ClientProfile = 'fapi2';

interface ProfiledClient {
  readonly metadata: { readonly client_profile?: unknown };
}

export const isFapi2 = (client: ProfiledClient): boolean => client.metadata.client_profile === 'fapi2';

/** §5.4.1 (1.2), for signatures of this server and of clients. `Ed25519` is another name of EdDSA (RFC 9864). */
const algorithms: ReadonlySet<unknown> = new Set(['PS256', 'ES256', 'EdDSA', 'Ed25519']);

export const isFapi2Algorithm = (alg: unknown): boolean => algorithms.has(alg);
