import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FailureNote, otherProblem, useChange } from '../graph/index.ts';
import { useMay } from '../session/index.ts';
import { Action, FormDialog, Menu } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { EditWebhook } from './edit-webhook.tsx';
import {
  DeleteWebhookDocument,
  UpdateWebhookDocument,
  type WebhookFactsFragment,
} from './generated/webhooks.ts';
import { RotateSecret } from './rotate-secret.tsx';

type Open = 'edit' | 'disable' | 'delete' | 'rotate';

export function WebhookActions({ webhook, onReread }: { webhook: WebhookFactsFragment; onReread(): void }) {
  const t = useTranslations('webhooks');
  const words = useTranslations('common');
  const may = useMay('webhooks:write');
  const [open, setOpen] = useState<Open>();
  const update = useChange(UpdateWebhookDocument);
  const close = () => {
    setOpen(undefined);
    onReread();
  };
  const to = webhook.status === 'ENABLED' ? 'PAUSED' : 'ENABLED';
  return (
    <>
      <FailureNote failure={update.failure} />
      <Action
        scopes={['webhooks:write']}
        {...(to === 'ENABLED' ? { kind: 'primary' } : {})}
        isPending={update.isBusy}
        onPress={() => void update.run({ id: webhook.id, version: webhook.version, status: to })}
      >
        {to === 'ENABLED' ? t('enable') : t('pause')}
      </Action>
      {may && (
        <Menu
          label={words('more')}
          entries={[
            { id: 'edit', label: t('edit'), onAction: () => setOpen('edit') },
            { id: 'rotate', label: t('rotate'), onAction: () => setOpen('rotate') },
            ...(webhook.status === 'DISABLED'
              ? []
              : [{ id: 'disable', label: t('disable'), onAction: () => setOpen('disable') }]),
            { id: 'delete', label: words('delete'), tone: 'bad', onAction: () => setOpen('delete') },
          ]}
        />
      )}
      {open === 'edit' && <EditWebhook webhook={webhook} onClose={close} />}
      {open === 'rotate' && <RotateSecret webhook={webhook} onClose={close} />}
      {open === 'disable' && <Disable webhook={webhook} onClose={close} />}
      {open === 'delete' && <Delete webhook={webhook} onClose={close} />}
    </>
  );
}

function Disable({ webhook, onClose }: { webhook: WebhookFactsFragment; onClose(): void }) {
  const t = useTranslations('webhooks');
  const update = useChange(UpdateWebhookDocument);
  return (
    <FormDialog
      title={t('disableTitle', { name: webhook.name })}
      isOpen
      isAlert
      kind="danger"
      submit={t('disable')}
      onClose={onClose}
      isBusy={update.isBusy}
      problem={otherProblem(update.problems)}
      onSubmit={() =>
        void update
          .run({ id: webhook.id, version: webhook.version, status: 'DISABLED' })
          .then((done) => done && onClose())
      }
    >
      <p>{t('disableHint')}</p>
      <FailureNote failure={update.failure} />
    </FormDialog>
  );
}

function Delete({ webhook, onClose }: { webhook: WebhookFactsFragment; onClose(): void }) {
  const t = useTranslations('webhooks');
  const words = useTranslations('common');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const navigate = useNavigate();
  const remove = useChange(DeleteWebhookDocument);
  return (
    <FormDialog
      title={t('deleteTitle', { name: webhook.name })}
      isOpen
      isAlert
      kind="danger"
      submit={words('delete')}
      onClose={onClose}
      isBusy={remove.isBusy}
      problem={otherProblem(remove.problems)}
      onSubmit={() =>
        void remove
          .run({ id: webhook.id, version: webhook.version })
          .then((done) => done && navigate({ to: '/t/$tenant/webhooks', params: { tenant } }))
      }
    >
      <p>{t('deleteHint')}</p>
      <FailureNote failure={remove.failure} />
    </FormDialog>
  );
}
