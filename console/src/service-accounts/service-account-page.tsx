import { useApolloClient, useQuery } from '@apollo/client/react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { FailureNote, failureOf, otherProblem, useChange } from '../graph/index.ts';
import { OwnerName, TransferDialog } from '../owners/index.ts';
import { ScopeList } from '../scopes/index.ts';
import { useMay } from '../session/index.ts';
import { Action, Badge, Copyable, Empty, Facts, FormDialog, Menu, Note, Page, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Account } from './account.ts';
import { ApiKeys } from './api-keys.tsx';
import { EditAccountDialog } from './edit-account-dialog.tsx';
import {
  DeleteServiceAccountDocument,
  ServiceAccountDocument,
  UpdateServiceAccountDocument,
} from './generated/service-accounts.ts';
import { PublicKeys } from './public-keys.tsx';

export function ServiceAccountPage() {
  const t = useTranslations('serviceAccounts');
  const { id } = useParams({ from: '/t/$tenant/service-accounts/$id' });
  const { data, error, loading, refetch } = useQuery(ServiceAccountDocument, { variables: { id } });
  const account = data?.serviceAccount;
  const failure = error && failureOf(error);
  const again = () => void refetch();
  if (!account)
    return (
      <Page title={t('one')}>
        <FailureNote failure={failure} onRetry={again} />
        {!loading && !failure && <Empty title={t('gone')}>{t('goneHint')}</Empty>}
      </Page>
    );
  return (
    <Page
      title={account.name}
      subtitle={account.description ?? undefined}
      actions={<Actions account={account} />}
    >
      <FailureNote failure={failure} onRetry={again} />
      {account.disabled && <Note tone="bad">{t('isDisabled')}</Note>}
      <Summary account={account} />
      <ApiKeys account={account} onChanged={again} />
      <PublicKeys account={account} onChanged={again} />
    </Page>
  );
}

function Summary({ account }: { account: Account }) {
  const t = useTranslations('serviceAccounts');
  const states = useTranslations('applications.states');
  return (
    <Facts
      facts={[
        [t('fields.id'), <Copyable key="id" value={account.id} label={t('fields.id')} />],
        [
          t('columns.state'),
          <Badge key="state" tone={account.disabled ? 'bad' : 'good'}>
            {states(account.disabled ? 'disabled' : 'enabled')}
          </Badge>,
        ],
        [t('columns.owner'), <OwnerName key="owner" owner={account.owner} />],
        [t('columns.scopes'), <ScopeList key="scopes" scopes={account.scopes} />],
        [t('columns.created'), <Time key="at" at={account.createdAt} />],
      ]}
    />
  );
}

type Open = 'edit' | 'disable' | 'delete' | 'transfer';

function Actions({ account }: { account: Account }) {
  const t = useTranslations('serviceAccounts');
  const availability = useTranslations('applications.availability');
  const owners = useTranslations('owners');
  const words = useTranslations('common');
  const mayWrite = useMay('clients:write');
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const { id, name, version } = account;
  return (
    <>
      <Action scopes={['clients:write']} onPress={() => setOpen('edit')}>
        {t('edit')}
      </Action>
      <Action scopes={['clients:write']} onPress={() => setOpen('disable')}>
        {availability(account.disabled ? 'enable' : 'disable')}
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
      {open === 'edit' && <EditAccountDialog account={account} onClose={close} />}
      {open === 'disable' && <DisableDialog account={account} onClose={close} />}
      {open === 'delete' && <DeleteDialog account={account} onClose={close} />}
      {open === 'transfer' && (
        <TransferDialog owned={{ kind: 'SERVICE_ACCOUNT', id, name, version }} onClose={close} />
      )}
    </>
  );
}

function DisableDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const t = useTranslations('serviceAccounts');
  const availability = useTranslations('applications.availability');
  const change = useChange(UpdateServiceAccountDocument);
  const { id, version, disabled } = account;
  const submit = async () => {
    if (await change.run({ id, version, disabled: !disabled })) onClose();
  };
  return (
    <FormDialog
      title={availability(disabled ? 'enableTitle' : 'disableTitle', { name: account.name })}
      isOpen
      isAlert
      {...(disabled ? {} : { kind: 'danger' as const })}
      onClose={onClose}
      submit={availability(disabled ? 'enable' : 'disable')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems)}
    >
      <p>{t(disabled ? 'enableLead' : 'disableLead')}</p>
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

function DeleteDialog({ account, onClose }: { account: Account; onClose(): void }) {
  const t = useTranslations('serviceAccounts');
  const availability = useTranslations('applications.availability');
  const { tenant } = useParams({ from: '/t/$tenant' });
  const navigate = useNavigate();
  const { cache } = useApolloClient();
  const change = useChange(DeleteServiceAccountDocument);
  const { id, version } = account;
  const submit = async () => {
    if (!(await change.run({ id, version }))) return;
    await navigate({ to: '/t/$tenant/service-accounts', params: { tenant } });
    cache.evict({ id: cache.identify({ __typename: 'ServiceAccount', id }) ?? '' });
  };
  return (
    <FormDialog
      title={availability('deleteTitle', { name: account.name })}
      isOpen
      isAlert
      kind="danger"
      onClose={onClose}
      submit={availability('delete')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems)}
    >
      <p>{t('deleteLead', { keys: (account.apiKeys?.length ?? 0) + (account.publicKeys?.length ?? 0) })}</p>
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
