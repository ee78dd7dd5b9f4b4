import { useState } from 'react';
import { FailureNote, removeObject, useChange } from '../../graph/index.ts';
import { TenantLink } from '../../navigation/index.ts';
import { type Owned as Transferable, TransferDialog } from '../../owners/index.ts';
import { ConfirmedAction } from '../../ui/confirmed-action.tsx';
import { Action, Badge, Note, Part } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import {
  CloseOwnedApiKeyDocument,
  DisableOwnedClientDocument,
  DisableOwnedConnectorDocument,
  DisableOwnedServiceAccountDocument,
} from './generated/owned.ts';
import { Rows } from './rows.tsx';
import type { AccessPathsProps, OriginProps } from './use-doors.ts';

type OwnedKind = 'CLIENT' | 'SERVICE_ACCOUNT' | 'API_KEY' | 'CONNECTOR';

interface Owned {
  kind: OwnedKind;
  id: string;
  name: string;
  path: string;
  isClosed: boolean;
  version: number | undefined;
}

/** Clients, service accounts, keys and identity sources that a user owns: they end with the user or are transferred. */
export function OwnedPart({ auth, provisioning }: { auth: AccessPathsProps; provisioning: OriginProps }) {
  const t = useTranslations('doors.owned');
  const owned = ownedIn(auth, provisioning);
  const { close, failure, problem } = useClosing();
  const [handed, setHanded] = useState<Transferable>();
  return (
    <Part
      title={t('title')}
      count={owned.items.length}
      scopes={['clients:read', 'connectors:read']}
      isLoading={auth.isLoading || provisioning.isLoading}
      isMissing={owned.isMissing}
      isEmpty={owned.items.length === 0}
      empty={t('empty')}
    >
      {owned.items.length > 0 && (
        <Rows>
          {owned.items.map((one) => (
            <OwnedRow key={one.id} owned={one} onClose={() => close(one)} onHandOver={setHanded} />
          ))}
        </Rows>
      )}
      {owned.isMore && <p className="soft">{t('more')}</p>}
      {failure && <FailureNote failure={failure} />}
      {problem && <Note tone="bad">{problem}</Note>}
      {handed && (
        <TransferDialog
          owned={handed}
          onClose={() => {
            setHanded(undefined);
            auth.refetch();
          }}
        />
      )}
    </Part>
  );
}

function OwnedRow({
  owned,
  onClose,
  onHandOver,
}: {
  owned: Owned;
  onClose(): void;
  onHandOver(owned: Transferable): void;
}) {
  const t = useTranslations('doors.owned');
  const { kind, id, name, version } = owned;
  const scopes = kind === 'CONNECTOR' ? ['connectors:write'] : ['clients:write'];
  return (
    <li>
      <div className="grow">
        <div className="row-title">
          <TenantLink path={owned.path}>{owned.name}</TenantLink>{' '}
          {owned.isClosed && <Badge tone="warn">{t('closed')}</Badge>}
        </div>
        <div className="soft row-facts">{t(`kinds.${owned.kind}`)}</div>
      </div>
      {kind !== 'CONNECTOR' && (
        <Action
          kind="plain"
          scopes={scopes}
          aria-label={t('handOverOf', { name })}
          onPress={() => onHandOver({ kind, id, name, ...(version === undefined ? {} : { version }) })}
        >
          {t('handOver')}
        </Action>
      )}
      {!owned.isClosed && (
        <ConfirmedAction
          scopes={scopes}
          label={owned.kind === 'API_KEY' ? t('revoke') : t('disable')}
          about={owned.name}
          sentence={owned.kind === 'API_KEY' ? t('revokeHint') : t('disableHint')}
          onConfirm={onClose}
        />
      )}
    </li>
  );
}

function ownedIn({ owned, failure }: AccessPathsProps, { origin, failure: otherFailure }: OriginProps) {
  const { clients, serviceAccounts, apiKeys } = owned ?? {};
  const sources = origin?.connectors;
  const items: Owned[] = [
    ...(clients?.edges ?? []).flatMap(({ node }) =>
      node
        ? [{ ...node, kind: 'CLIENT', path: `applications/${node.id}`, isClosed: node.disabled } as const]
        : [],
    ),
    ...(serviceAccounts?.edges ?? []).flatMap(({ node }) =>
      node
        ? [
            {
              ...node,
              kind: 'SERVICE_ACCOUNT',
              path: `service-accounts/${node.id}`,
              isClosed: node.disabled,
            } as const,
          ]
        : [],
    ),
    ...(apiKeys?.edges ?? []).flatMap(({ node }) =>
      node
        ? [
            {
              ...node,
              kind: 'API_KEY',
              path: `service-accounts/${node.serviceAccountId}`,
              isClosed: false,
              version: undefined,
            } as const,
          ]
        : [],
    ),
    ...(sources?.edges ?? []).map(
      ({ node }) =>
        ({
          ...node,
          kind: 'CONNECTOR',
          path: `sources/${node.id}`,
          isClosed: node.status === 'DISABLED',
        }) as const,
    ),
  ];
  return {
    items,
    isMore: [clients, serviceAccounts, apiKeys, sources].some((list) => list?.pageInfo.hasNextPage),
    isMissing: (!clients && failure !== undefined) || (!sources && otherFailure !== undefined),
  };
}

function useClosing() {
  const client = useChange(DisableOwnedClientDocument, (cache, { id }) =>
    cache.modify({ id: `Client:${id}`, fields: { disabled: () => true } }),
  );
  const account = useChange(DisableOwnedServiceAccountDocument, (cache, { id }) =>
    cache.modify({ id: `ServiceAccount:${id}`, fields: { disabled: () => true } }),
  );
  const key = useChange(CloseOwnedApiKeyDocument, (cache, { id }) => removeObject(cache, `ApiKey:${id}`));
  const connector = useChange(DisableOwnedConnectorDocument, (cache, { id }) =>
    cache.modify({ id: `Connector:${id}`, fields: { status: () => 'DISABLED' } }),
  );
  const close = ({ kind, id, version }: Owned) => {
    const based = version === undefined ? {} : { version };
    if (kind === 'CLIENT') void client.run({ id, ...based });
    else if (kind === 'SERVICE_ACCOUNT') void account.run({ id, disabled: true, ...based });
    else if (kind === 'API_KEY') void key.run({ id });
    else void connector.run({ id, ...based });
  };
  const changes = [client, account, key, connector];
  return {
    close,
    failure: changes.find(({ failure }) => failure)?.failure,
    problem: changes.flatMap(({ problems }) => problems)[0]?.message,
  };
}
