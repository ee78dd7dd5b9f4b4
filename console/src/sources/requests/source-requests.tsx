import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { FailureNote, useConnection } from '../../graph/index.ts';
import { useMay } from '../../session/index.ts';
import { Badge, Checkbox, type ColumnOf, Empty, Note, Table, Time } from '../../ui/index.ts';
import { useFormatter, useTranslations } from '../../words/index.ts';
import { requestTone } from '../source.ts';
import { type SourceRequestFragment, SourceRequestsDocument } from './generated/requests.ts';
import { useLiveRequests } from './live-requests.ts';
import { RequestDialog } from './request-dialog.tsx';

/** Requests of a source with their results, live. */
export function SourceRequests({ source }: { source: string }) {
  const t = useTranslations('sources.requests');
  const may = useMay('provisioning:read');
  const { failed } = useSearch({ from: '/t/$tenant/sources/$id' });
  const navigate = useNavigate({ from: '/t/$tenant/sources/$id' });
  if (!may) return <Note tone="warn">{t('locked')}</Note>;
  return (
    <>
      <div className="toolbar">
        <Checkbox
          isSelected={failed === 'yes'}
          onChange={(only) =>
            void navigate({
              search: (before) => ({ ...before, failed: only ? 'yes' : undefined }),
              replace: true,
            })
          }
        >
          {t('failedOnly')}
        </Checkbox>
      </div>
      <RequestList source={source} isFailedOnly={failed === 'yes'} />
    </>
  );
}

export function RequestList({ source, isFailedOnly }: { source: string; isFailedOnly: boolean }) {
  const t = useTranslations('sources.requests');
  const variables = useMemo(
    () => ({ source, ...(isFailedOnly && { outcome: 'FAILED' as const }) }),
    [source, isFailedOnly],
  );
  const list = useConnection(SourceRequestsDocument, variables, (data) => data.provisioningLog);
  const live = useLiveRequests(source, list.refetch);
  const [open, setOpen] = useState<string>();
  const columns = useColumns();
  const items = useMemo(() => {
    const fresh = isFailedOnly ? live.filter(({ status }) => status >= 400) : live;
    const known = new Set(fresh.map(({ id }) => id));
    return [...fresh, ...list.items.filter(({ id }) => !known.has(id))];
  }, [live, list.items, isFailedOnly]);
  const opened = items.find(({ id }) => id === open);
  return (
    <>
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<SourceRequestFragment>
        label={t('title')}
        columns={columns}
        items={items}
        onAction={setOpen}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={
          isFailedOnly ? (
            <Empty title={t('noneFailed')}>{t('noneFailedHint')}</Empty>
          ) : (
            <Empty title={t('none')}>{t('noneHint')}</Empty>
          )
        }
      />
      {opened && <RequestDialog request={opened} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function useColumns(): ColumnOf<SourceRequestFragment>[] {
  const t = useTranslations('sources.requests');
  const format = useFormatter();
  return useMemo(
    () => [
      {
        id: 'what',
        title: t('what'),
        minWidth: 140,
        cell: ({ method, resourceType }) =>
          `${method} ${resourceType === null ? '' : t(`resources.${resourceType}`)}`,
      },
      {
        id: 'status',
        title: t('status'),
        width: 110,
        cell: ({ status }) => <Badge tone={requestTone(status)}>{status}</Badge>,
      },
      {
        id: 'detail',
        title: t('detail'),
        width: '3fr',
        minWidth: 160,
        cell: ({ detail, scimType }) => detail ?? scimType ?? '',
      },
      {
        id: 'took',
        title: t('took'),
        width: 100,
        cell: ({ durationMs }) => t('ms', { ms: format.number(durationMs, { maximumFractionDigits: 1 }) }),
      },
      { id: 'at', title: t('at'), minWidth: 130, cell: ({ at }) => <Time at={at} relative /> },
    ],
    [t, format],
  );
}
