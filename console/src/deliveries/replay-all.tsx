import { useMemo, useState } from 'react';
import { FailureNote, otherProblem, useChange, useConnection } from '../graph/index.ts';
import { Button, Dialog, FormDialog, Select } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { DeliveryListDocument, ReplayDeadDeliveriesDocument } from './generated/deliveries.ts';
import { useReceiverNames } from './receiver-names.ts';

const spans = { hour: 3_600_000, day: 86_400_000, week: 604_800_000 } as const;
type Span = keyof typeof spans | 'all';
const spanNames: readonly Span[] = ['all', 'week', 'day', 'hour'];

/** Replays the dead letters of one receiver, after showing their number. */
export function ReplayAll({
  receiver,
  onDone,
  onClose,
}: {
  receiver: string;
  onDone(): void;
  onClose(): void;
}) {
  const t = useTranslations('deliveries');
  const words = useTranslations('common');
  const { names } = useReceiverNames();
  const [span, setSpan] = useState<Span>('all');
  const [replayed, setReplayed] = useState<number>();
  const { dead, since } = useDead(receiver, span);
  const replay = useChange(ReplayDeadDeliveriesDocument);
  const title = t('replayAllTitle', { name: names.get(receiver) ?? receiver });
  const isNothing = dead.total === 0;
  if (replayed !== undefined)
    return (
      <Dialog title={title} isOpen onClose={onClose}>
        <p role="status">{t('replayed', { count: replayed })}</p>
        <div className="actions">
          <Button onPress={onClose}>{words('close')}</Button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title={title}
      isOpen
      submit={isNothing ? words('close') : t('replayAll')}
      onClose={onClose}
      isBusy={replay.isBusy}
      problem={otherProblem(replay.problems)}
      onSubmit={() => {
        if (isNothing) return onClose();
        void replay.run({ receiverId: receiver, ...(since === undefined ? {} : { since }) }).then((done) => {
          if (!done) return;
          setReplayed(done.replayDeadDeliveries?.replayed ?? 0);
          onDone();
        });
      }}
    >
      <Select
        label={t('span')}
        options={spanNames.map((id) => ({ id, label: t(`spans.${id}`) }))}
        value={span}
        onChange={(value) => setSpan(spanNames.find((one) => one === value) ?? span)}
      />
      <p>{dead.total === undefined ? words('loading') : t('deadCount', { count: dead.total })}</p>
      <p className="soft">{t('replayHint')}</p>
      <FailureNote failure={replay.failure ?? dead.failure} />
    </FormDialog>
  );
}

/** Counts the dead letters of a receiver within a period. */
function useDead(receiver: string, span: Span) {
  const since = useMemo(
    () => (span === 'all' ? undefined : new Date(Date.now() - spans[span]).toISOString()),
    [span],
  );
  const variables = useMemo(
    () => ({
      filter: { receiverId: receiver, state: 'DEAD' as const, ...(since === undefined ? {} : { since }) },
      first: 1,
    }),
    [receiver, since],
  );
  const dead = useConnection(DeliveryListDocument, variables, (data) => data.deliveries);
  return { dead, since };
}
