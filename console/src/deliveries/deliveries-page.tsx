import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { FailureNote, useConnection } from '../graph/index.ts';
import { Action, Badge, Button, type ColumnOf, Empty, Note, Page, Select, Table, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { stateTone } from './delivery-state.ts';
import { type DeliveryFactsFragment, DeliveryListDocument } from './generated/deliveries.ts';
import { useReceiverNames } from './receiver-names.ts';
import { ReplayAll } from './replay-all.tsx';
import { deliveryStates, receiverKinds } from './search.ts';

type Delivery = DeliveryFactsFragment;
const pageSize = 50;
const readAgainMs = 5000;

/** Deliveries by state: delivered, pending and dead letters. */
export function DeliveriesPage() {
  const t = useTranslations('deliveries');
  const search = useSearch({ from: '/t/$tenant/deliveries' });
  const navigate = useNavigate({ from: '/t/$tenant/deliveries' });
  const { state, kind, receiver, subject, delivery } = search;
  const variables = useMemo(
    () => ({
      filter: {
        ...(state ? { state } : {}),
        ...(kind ? { receiverKind: kind } : {}),
        ...(receiver ? { receiverId: receiver } : {}),
        ...(subject ? { subjectId: subject } : {}),
      },
      first: pageSize,
    }),
    [state, kind, receiver, subject],
  );
  const list = useConnection(DeliveryListDocument, variables, (data) => data.deliveries);
  useReadAgain(list.refetch, list.items.length <= pageSize);
  const columns = useColumns();
  const set = (change: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const isNarrowed = [state, kind, receiver, subject].some((one) => one !== undefined && one !== '');
  return (
    <Page
      title={t('title')}
      subtitle={list.total === undefined ? undefined : t('count', { count: list.total })}
      actions={<ReplayButton receiver={receiver} onDone={list.refetch} />}
    >
      <Filters search={search} onChange={set} />
      {subject !== undefined && subject !== '' && (
        <Note action={<Button onPress={() => set({ subject: undefined })}>{t('allSubjects')}</Button>}>
          {t('onlySubject', { id: subject })}
        </Note>
      )}
      <FailureNote failure={list.failure} onRetry={list.refetch} />
      <Table<Delivery>
        label={t('title')}
        columns={columns}
        items={list.items}
        onAction={(id) => set({ delivery: id })}
        onMore={list.onMore}
        isLoading={list.isLoading}
        empty={
          state === 'DEAD' ? (
            <Empty title={t('noneDead')}>{t('noneDeadHint')}</Empty>
          ) : (
            <Empty title={isNarrowed ? t('noneSuch') : t('none')}>{t('noneHint')}</Empty>
          )
        }
      />
      {delivery !== undefined && delivery !== '' && (
        <DeliveryDialog id={delivery} onChanged={list.refetch} onClose={() => set({ delivery: undefined })} />
      )}
    </Page>
  );
}

/** Refreshes the list periodically until the user loads more pages. */
function useReadAgain(refetch: () => void, isShort: boolean): void {
  useEffect(() => {
    if (!isShort) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') refetch();
    }, readAgainMs);
    return () => clearInterval(timer);
  });
}

function ReplayButton({ receiver, onDone }: { receiver: string | undefined; onDone(): void }) {
  const t = useTranslations('deliveries');
  const [isOpen, setOpen] = useState(false);
  if (!receiver) return null;
  return (
    <>
      <Action scopes={['webhooks:write']} onPress={() => setOpen(true)}>
        {t('replayAll')}
      </Action>
      {isOpen && <ReplayAll receiver={receiver} onDone={onDone} onClose={() => setOpen(false)} />}
    </>
  );
}

interface Search {
  state?: (typeof deliveryStates)[number] | undefined;
  kind?: (typeof receiverKinds)[number] | undefined;
  receiver?: string | undefined;
}

function Filters({ search, onChange }: { search: Search; onChange(change: Search): void }) {
  const t = useTranslations('deliveries');
  const { names } = useReceiverNames();
  const { state, kind, receiver } = search;
  const known = [...names].map(([id, label]) => ({ id, label }));
  const receivers = receiver && !names.has(receiver) ? [{ id: receiver, label: receiver }, ...known] : known;
  return (
    <div className="toolbar">
      <Select
        label={t('state')}
        options={[
          { id: 'all', label: t('all') },
          ...deliveryStates.map((id) => ({ id, label: t(`states.${id}`) })),
        ]}
        value={state ?? 'all'}
        onChange={(value) => onChange({ state: deliveryStates.find((one) => one === value) })}
      />
      <Select
        label={t('kind')}
        options={[
          { id: 'all', label: t('all') },
          ...receiverKinds.map((id) => ({ id, label: t(`kinds.${id}`) })),
        ]}
        value={kind ?? 'all'}
        onChange={(value) => onChange({ kind: receiverKinds.find((one) => one === value) })}
      />
      <Select
        label={t('receiver')}
        options={[{ id: 'all', label: t('all') }, ...receivers]}
        value={receiver || 'all'}
        onChange={(value) => onChange({ receiver: value === 'all' ? undefined : String(value) })}
      />
    </div>
  );
}

function useColumns(): ColumnOf<Delivery>[] {
  const t = useTranslations('deliveries');
  const { names } = useReceiverNames();
  return useMemo(
    () => [
      {
        id: 'type',
        title: t('type'),
        width: '1.5fr',
        minWidth: 150,
        cell: ({ type, receiverKind }) => type ?? t(`kinds.${receiverKind}`),
      },
      {
        id: 'receiver',
        title: t('receiver'),
        width: '1.5fr',
        minWidth: 140,
        cell: ({ receiverId }) => names.get(receiverId) ?? receiverId,
      },
      {
        id: 'about',
        title: t('about'),
        minWidth: 130,
        cell: ({ user, subjectId }) => user?.displayName ?? user?.userName ?? subjectId ?? '',
      },
      {
        id: 'state',
        title: t('state'),
        width: 130,
        cell: ({ state }) => <Badge tone={stateTone(state)}>{t(`states.${state}`)}</Badge>,
      },
      {
        id: 'why',
        title: t('lastAnswer'),
        width: '1.5fr',
        minWidth: 140,
        cell: ({ lastError, lastStatus }) => lastError ?? lastStatus ?? '',
      },
      {
        id: 'at',
        title: t('created'),
        minWidth: 130,
        cell: ({ createdAt }) => <Time at={createdAt} relative />,
      },
    ],
    [t, names],
  );
}
