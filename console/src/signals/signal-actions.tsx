import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange } from '../graph/index.ts';
import { useMay } from '../session/index.ts';
import { Action, FormDialog, Menu, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  DeleteSignalStreamDocument,
  type ReceiverStatus,
  type SignalStreamFactsFragment,
  UpdateSignalStreamDocument,
} from './generated/signals.ts';

export function SignalActions({ stream }: { stream: SignalStreamFactsFragment }) {
  const t = useTranslations('signals');
  const words = useTranslations('common');
  const may = useMay('webhooks:write');
  const [wanted, setWanted] = useState<ReceiverStatus>();
  const [isDeleting, setDeleting] = useState(false);
  const to = stream.status === 'ENABLED' ? 'PAUSED' : 'ENABLED';
  return (
    <>
      <Action scopes={['webhooks:write']} onPress={() => setWanted(to)}>
        {t(`actions.${to}`)}
      </Action>
      {may && (
        <Menu
          label={words('more')}
          entries={[
            ...(stream.status === 'DISABLED'
              ? []
              : [{ id: 'disable', label: t('actions.DISABLED'), onAction: () => setWanted('DISABLED') }]),
            { id: 'delete', label: words('delete'), tone: 'bad', onAction: () => setDeleting(true) },
          ]}
        />
      )}
      {wanted && <SetStatus stream={stream} status={wanted} onClose={() => setWanted(undefined)} />}
      {isDeleting && <Delete stream={stream} onClose={() => setDeleting(false)} />}
    </>
  );
}

function SetStatus({
  stream,
  status,
  onClose,
}: {
  stream: SignalStreamFactsFragment;
  status: ReceiverStatus;
  onClose(): void;
}) {
  const t = useTranslations('signals');
  const update = useChange(UpdateSignalStreamDocument);
  const [reason, setReason] = useState('');
  return (
    <FormDialog
      title={t('statusTitle', { app: stream.client?.name ?? stream.id })}
      isOpen
      submit={t(`actions.${status}`)}
      {...(status === 'DISABLED' ? { kind: 'danger' } : {})}
      onClose={onClose}
      isBusy={update.isBusy}
      problem={otherProblem(update.problems, 'reason')}
      onSubmit={() =>
        void update
          .run({
            id: stream.id,
            version: stream.version,
            status,
            ...(reason.trim() === '' ? {} : { reason: reason.trim() }),
          })
          .then((done) => done && onClose())
      }
    >
      <p>{t(`actionHints.${status}`)}</p>
      <TextField
        label={t('reason')}
        hint={t('reasonHint')}
        value={reason}
        onChange={setReason}
        maxLength={500}
        problem={problemAt(update.problems, 'reason')}
      />
      <FailureNote failure={update.failure} />
    </FormDialog>
  );
}

function Delete({ stream, onClose }: { stream: SignalStreamFactsFragment; onClose(): void }) {
  const t = useTranslations('signals');
  const words = useTranslations('common');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const navigate = useNavigate();
  const remove = useChange(DeleteSignalStreamDocument);
  return (
    <FormDialog
      title={t('deleteTitle', { app: stream.client?.name ?? stream.id })}
      isOpen
      isAlert
      kind="danger"
      submit={words('delete')}
      onClose={onClose}
      isBusy={remove.isBusy}
      problem={otherProblem(remove.problems)}
      onSubmit={() =>
        void remove
          .run({ id: stream.id, version: stream.version })
          .then((done) => done && navigate({ to: '/t/$tenant/signals', params: { tenant } }))
      }
    >
      <p>{t('deleteHint')}</p>
      <FailureNote failure={remove.failure} />
    </FormDialog>
  );
}
