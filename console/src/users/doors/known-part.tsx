import { Part } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { Rows } from './rows.tsx';
import { SecretName } from './secret-name.tsx';
import type { AccessPathsProps, OriginProps } from './use-doors.ts';

/** Valid secrets that a user received or supplied, for objects of any owner: they end with the user. */
export function KnownPart({ auth, provisioning }: { auth: AccessPathsProps; provisioning: OriginProps }) {
  const t = useTranslations('doors.known');
  const secrets = auth.doors?.knownSecrets;
  const tokens = provisioning.origin?.user?.knownConnectorTokens;
  const items = [
    ...(secrets ?? []),
    ...(tokens ?? []).map(({ connector, token }) => ({
      kind: 'CONNECTOR_TOKEN' as const,
      secretId: token.id,
      credentialId: connector?.id ?? '',
      name: connector?.name ?? null,
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
          {items.map(({ kind, secretId, credentialId, name }) => (
            <li key={`${kind}/${secretId}`}>
              <div className="grow">
                <div className="row-title">{t(`kinds.${kind}`)}</div>
                <div className="soft row-facts">
                  <SecretName kind={kind} credentialId={credentialId} name={name} />
                </div>
              </div>
            </li>
          ))}
        </Rows>
      )}
    </Part>
  );
}
