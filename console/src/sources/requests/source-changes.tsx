import { useMemo } from 'react';
import { FailureNote, useConnection } from '../../graph/index.ts';
import { TenantLink } from '../../navigation/index.ts';
import { useMay } from '../../session/index.ts';
import { Button, Empty, Note, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { SourceChangesDocument } from './generated/requests.ts';

/** Log of the changes of a source and its tokens. */
export function SourceChanges({ source }: { source: string }) {
  const t = useTranslations('sources.changes');
  const words = useTranslations('common');
  const may = useMay('audit:read');
  const variables = useMemo(() => ({ connectorId: source }), [source]);
  const list = useConnection(SourceChangesDocument, variables, (data) => data.connectorLog, { skip: !may });
  if (!may) return <Note tone="warn">{t('locked')}</Note>;
  return (
    <>
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      {!list.isLoading && !list.failure && list.items.length === 0 && <Empty title={t('none')} />}
      <ul className="rows">
        {list.items.map((entry) => (
          <li key={entry.id}>
            <span className="grow">
              <TenantLink path="logs" search={{ entry: `connector:${entry.id}` }}>
                {entry.action}
              </TenantLink>
              <br />
              <span className="soft">{entry.changes.map(({ attribute }) => attribute).join(', ')}</span>
            </span>
            <span className="soft">{entry.actor.name ?? entry.actor.actorId}</span>
            <Time at={entry.occurredAt} />
          </li>
        ))}
      </ul>
      {list.onMore && <Button onPress={list.onMore}>{words('more')}</Button>}
    </>
  );
}
