import { useApolloClient } from '@apollo/client/react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { TransferDialog } from '../owners/index.ts';
import { useMay } from '../session/index.ts';
import { Action, Menu, ShownOnce } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { DeleteDialog, DisableDialog, EnableDialog } from './availability-dialogs.tsx';
import type { Application } from './registration/metadata.ts';
import { SecretDialog } from './secret-dialog.tsx';

type Open = 'rotate' | 'disable' | 'enable' | 'delete' | 'transfer';

const usesSecret = ({ tokenEndpointAuthMethod: method }: Application): boolean =>
  method !== 'NONE' && method !== 'PRIVATE_KEY_JWT';

export function ApplicationActions({ application }: { application: Application }) {
  const t = useTranslations('applications');
  const owners = useTranslations('owners');
  const words = useTranslations('common');
  const mayWrite = useMay('clients:write');
  const [open, setOpen] = useState<Open>();
  const [secret, setSecret] = useState<string>();
  return (
    <>
      {usesSecret(application) && (
        <Action scopes={['clients:write']} onPress={() => setOpen('rotate')}>
          {t('secret.rotate')}
        </Action>
      )}
      <Action scopes={['clients:write']} onPress={() => setOpen(application.disabled ? 'enable' : 'disable')}>
        {t(application.disabled ? 'availability.enable' : 'availability.disable')}
      </Action>
      {mayWrite && (
        <Menu
          label={words('more')}
          entries={[
            { id: 'transfer', label: owners('transfer'), onAction: () => setOpen('transfer') },
            { id: 'delete', label: words('delete'), tone: 'bad', onAction: () => setOpen('delete') },
          ]}
        />
      )}
      <OpenDialog
        application={application}
        open={open}
        onClose={() => setOpen(undefined)}
        onSecret={setSecret}
      />
      {secret !== undefined && (
        <ShownOnce
          title={t('secret.shown')}
          credentials={[
            { label: t('clientId'), value: application.id },
            { label: t('secret.label'), value: secret },
          ]}
          onClose={() => setSecret(undefined)}
        />
      )}
    </>
  );
}

function OpenDialog({
  application,
  open,
  onClose,
  onSecret,
}: {
  application: Application;
  open: Open | undefined;
  onClose(): void;
  onSecret(secret: string): void;
}) {
  const { cache } = useApolloClient();
  const navigate = useNavigate();
  const { tenant } = useParams({ from: '/t/$tenant' });
  const { id, name, version } = application;
  const leave = async () => {
    await navigate({ to: '/t/$tenant/applications', params: { tenant } });
    cache.evict({ id: cache.identify({ __typename: 'Client', id }) ?? '' });
  };
  switch (open) {
    case 'rotate':
      return <SecretDialog application={application} onClose={onClose} onSecret={onSecret} />;
    case 'disable':
      return <DisableDialog application={application} onClose={onClose} />;
    case 'enable':
      return <EnableDialog application={application} onClose={onClose} />;
    case 'delete':
      return <DeleteDialog application={application} onClose={onClose} onDeleted={() => void leave()} />;
    case 'transfer':
      return <TransferDialog owned={{ kind: 'CLIENT', id, name, version }} onClose={onClose} />;
    default:
      return null;
  }
}
