import { TenantLink } from '../../navigation/index.ts';
import { Part } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { Rows } from './rows.tsx';
import type { Doors, DoorsProps, OriginProps } from './use-doors.ts';

type KnownKind = NonNullable<Doors['knownSecrets']>[number]['kind'];

/** Pages of the objects that secrets belong to, where there is one. */
const pages: Partial<Record<KnownKind, string>> = {
  CLIENT_SECRET: 'applications',
  CLIENT_KEYS: 'applications',
  REGISTRATION_ACCESS_TOKEN: 'applications',
  STREAM_ENDPOINT: 'applications',
  SERVICE_ACCOUNT_KEY: 'service-accounts',
  API_KEY: 'service-accounts',
  CONNECTOR_TOKEN: 'sources',
};

/** Valid secrets that a user received or supplied, for objects of any owner: they end with the user. */
export function KnownPart({ auth, provisioning }: { auth: DoorsProps; provisioning: OriginProps }) {
  const t = useTranslations('doors.known');
  const secrets = auth.doors?.knownSecrets;
  const tokens = provisioning.origin?.user?.knownConnectorTokens;
  const items = [
    ...(secrets ?? []).map(({ kind, secretId, credentialId }) => ({
      kind,
      id: `${kind}/${secretId}`,
      of: credentialId,
      name: credentialId,
    })),
    ...(tokens ?? []).map(({ connector, token }) => ({
      kind: 'CONNECTOR_TOKEN' as const,
      id: token.id,
      of: connector?.id ?? '',
      name: connector?.name ?? '',
    })),
  ];
  return (
    <Part
      title={t('title')}
      count={items.length}
      scopes={['clients:read', 'connectors:read']}
      isLoading={auth.isLoading || provisioning.isLoading}
      isMissing={(!secrets && auth.failure !== undefined) || (!tokens && provisioning.failure !== undefined)}
      isEmpty={items.length === 0}
      empty={t('empty')}
    >
      {items.length > 0 && (
        <Rows>
          {items.map(({ id, kind, of, name }) => (
            <li key={id}>
              <div className="grow">
                <div className="row-title">{t(`kinds.${kind}`)}</div>
                <div className="soft row-facts">
                  {pages[kind] ? (
                    <TenantLink path={`${pages[kind]}/${of}`}>{name}</TenantLink>
                  ) : (
                    <code>{name}</code>
                  )}
                </div>
              </div>
            </li>
          ))}
        </Rows>
      )}
    </Part>
  );
}
