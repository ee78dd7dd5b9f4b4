import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { FailureNote, useOnChange } from '../../graph/index.ts';
import { TenantLink } from '../../navigation/index.ts';
import { useMay } from '../../session/index.ts';
import { Badge, type ColumnOf, Empty, Table, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { ActorName } from './actor-name.tsx';
import type { Entry } from './entries.ts';
import { EntryDialog } from './entry-dialog.tsx';
import { useActionWords } from './use-action-words.ts';
import { useTimeline } from './use-timeline.ts';

/** Events of all logs that concern a user or were caused by the user. */
export function TimelineTab({ id, version }: { id: string; version: number | undefined }) {
  const t = useTranslations('timeline');
  const words = useTranslations('common');
  const may = useMay('audit:read', 'provisioning:read');
  const timeline = useTimeline(id);
  const columns = useColumns();
  const { entry } = useSearch({ from: '/t/$tenant/users/$id' });
  const navigate = useNavigate({ from: '/t/$tenant/users/$id' });
  const open = (to: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, entry: to }), replace: true });
  useOnChange(version, timeline.refetch);
  if (!may) return <p className="soft">{words('needs', { scopes: 'audit:read, provisioning:read' })}</p>;
  const shown = timeline.entries.find((one) => one.id === entry);
  return (
    <div className="stack">
      {timeline.failures.map((failure) => (
        <FailureNote key={failure.kind} failure={failure} onRetry={timeline.refetch} />
      ))}
      <div>
        <TenantLink path="logs" search={{ person: id }}>
          {t('inLogs')}
        </TenantLink>
      </div>
      <Table<Entry>
        label={t('title')}
        columns={columns}
        items={timeline.entries}
        onAction={open}
        onMore={timeline.onMore}
        isLoading={timeline.isLoading}
        empty={<Empty title={t('empty')}>{t('emptyHint')}</Empty>}
      />
      {shown && <EntryDialog entry={shown} onClose={() => open(undefined)} />}
    </div>
  );
}

function useColumns(): ColumnOf<Entry>[] {
  const t = useTranslations('timeline');
  const say = useActionWords();
  return useMemo(
    () => [
      {
        id: 'what',
        title: t('columns.what'),
        width: '2fr',
        minWidth: 170,
        cell: (entry) => (
          <>
            {say(entry)} {entry.isFailure && <Badge tone="bad">{t('failed')}</Badge>}
          </>
        ),
      },
      { id: 'when', title: t('columns.when'), width: 215, minWidth: 215, cell: ({ at }) => <Time at={at} /> },
      { id: 'who', title: t('columns.who'), minWidth: 130, cell: ({ actor }) => <ActorName actor={actor} /> },
      { id: 'detail', title: t('columns.detail'), width: '2fr', minWidth: 140, cell: ({ detail }) => detail },
      {
        id: 'log',
        title: t('columns.log'),
        minWidth: 110,
        cell: ({ log }) => <Badge>{t(`logs.${log}`)}</Badge>,
      },
    ],
    [t, say],
  );
}
