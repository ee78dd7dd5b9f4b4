import { TenantLink } from '../../navigation/index.ts';
import type { Doors } from './use-doors.ts';

export type SecretKind = NonNullable<Doors['knownSecrets']>[number]['kind'];

/** Pages of the objects that secrets belong to, where there is one. */
const pages: Partial<Record<SecretKind, string>> = {
  CLIENT_SECRET: 'applications',
  CLIENT_KEYS: 'applications',
  REGISTRATION_ACCESS_TOKEN: 'applications',
  STREAM_ENDPOINT: 'applications',
  SERVICE_ACCOUNT_KEY: 'service-accounts',
  API_KEY: 'service-accounts',
  CONNECTOR_TOKEN: 'sources',
  INVITATION: 'users',
};

/** Name of a secret, with a link to the object that it belongs to. */
export function SecretName({
  kind,
  credentialId,
  name,
}: {
  kind: SecretKind;
  /** Id of the object that the secret belongs to. */
  credentialId: string;
  name: string | null;
}) {
  const page = pages[kind];
  const text = name ?? <code>{credentialId}</code>;
  return page === undefined ? text : <TenantLink path={`${page}/${credentialId}`}>{text}</TenantLink>;
}
