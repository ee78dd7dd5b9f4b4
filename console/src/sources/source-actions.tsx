import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FailureNote, otherProblem, useChange } from '../graph/index.ts';
import { useMay } from '../session/index.ts';
import { Action, FormDialog, Menu } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { DeleteSourceDocument, DisableSourceDocument, EnableSourceDocument } from './generated/sources.ts';
import type { Source } from './source.ts';
import { TransferSource } from './transfer-source.tsx';

type Open = 'disable' | 'delete' | 'transfer';

export function SourceActions({ source }: { source: Source }) {
  const t = useTranslations('sources.actions');
  const words = useTranslations('common');
  const may = useMay('connectors:write');
  const [open, setOpen] = useState<Open>();
  const enable = useChange(EnableSourceDocument);
  const close = () => setOpen(undefined);
  return (
    <>
      {source.status === 'ACTIVE' ? (
        <Action scopes={['connectors:write']} onPress={() => setOpen('disable')}>
          {t('disable')}
        </Action>
      ) : (
        <Action
          scopes={['connectors:write']}
          kind="primary"
          isPending={enable.isBusy}
          onPress={() => void enable.run({ id: source.id, version: source.version })}
        >
          {t('enable')}
        </Action>
      )}
      {may && (
        <Menu
          label={words('more')}
          entries={[
            { id: 'transfer', label: t('transfer'), onAction: () => setOpen('transfer') },
            { id: 'delete', label: t('delete'), tone: 'bad', onAction: () => setOpen('delete') },
          ]}
        />
      )}
      <FailureNote failure={enable.failure} />
      {open === 'disable' && <Disable source={source} onClose={close} />}
      {open === 'delete' && <Delete source={source} onClose={close} />}
      {open === 'transfer' && <TransferSource source={source} onClose={close} />}
    </>
  );
}

function Disable({ source, onClose }: { source: Source; onClose(): void }) {
  const t = useTranslations('sources.actions');
  const disable = useChange(DisableSourceDocument);
  return (
    <FormDialog
      title={t('disableTitle', { name: source.name })}
      isOpen
      isAlert
      kind="danger"
      submit={t('disable')}
      onClose={onClose}
      isBusy={disable.isBusy}
      problem={otherProblem(disable.problems)}
      onSubmit={() =>
        void disable.run({ id: source.id, version: source.version }).then((done) => done && onClose())
      }
    >
      <p>{t('disableHint')}</p>
      <FailureNote failure={disable.failure} />
    </FormDialog>
  );
}

function Delete({ source, onClose }: { source: Source; onClose(): void }) {
  const t = useTranslations('sources.actions');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const navigate = useNavigate();
  const remove = useChange(DeleteSourceDocument, (cache) => {
    cache.evict({ id: cache.identify({ __typename: 'Connector', id: source.id }) ?? '' });
  });
  return (
    <FormDialog
      title={t('deleteTitle', { name: source.name })}
      isOpen
      isAlert
      kind="danger"
      submit={t('delete')}
      onClose={onClose}
      isBusy={remove.isBusy}
      problem={otherProblem(remove.problems)}
      onSubmit={() =>
        void remove
          .run({ id: source.id, version: source.version })
          .then((done) => done && navigate({ to: '/t/$tenant/sources', params: { tenant } }))
      }
    >
      <p>{t('deleteHint')}</p>
      <FailureNote failure={remove.failure} />
    </FormDialog>
  );
}
