import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange } from '../graph/index.ts';
import { OwnerPicker } from '../owners/index.ts';
import { ScopePicker } from '../scopes/index.ts';
import { FormDialog, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Account } from './account.ts';
import { CreateApiKeyDocument } from './generated/service-accounts.ts';
import { endOf, type Lifetime, LifetimeField } from './lifetime-field.tsx';

interface DialogProps {
  account: Account;
  onClose(): void;
  onToken(token: string): void;
}

/** Creates an API key, which is shown once. */
export function CreateKeyDialog({ account, onClose, onToken }: DialogProps) {
  const t = useTranslations('serviceAccounts.keys');
  const owners = useTranslations('owners');
  const change = useChange(CreateApiKeyDocument);
  const [name, setName] = useState('');
  const [lifetime, setLifetime] = useState<Lifetime>('90');
  const [scopes, setScopes] = useState<readonly string[]>(account.scopes);
  const [ownerId, setOwnerId] = useState<string>();
  // Fixed when the dialog opens, so that a repeated submission is the same change.
  const [opened] = useState(Date.now);
  const submit = async () => {
    const done = await change.run({
      serviceAccountId: account.id,
      name: name.trim(),
      scopes: [...scopes],
      expiresAt: endOf(lifetime, opened) ?? null,
      ...(ownerId === undefined ? {} : { ownerId }),
    });
    if (done) onClose();
    if (done?.createApiKey?.token) onToken(done.createApiKey.token);
  };
  return (
    <FormDialog
      title={t('create')}
      isOpen
      onClose={onClose}
      submit={t('create')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'name', 'expiresAt', 'scopes')}
    >
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        isRequired
        autoFocus
        value={name}
        onChange={setName}
        problem={problemAt(change.problems, 'name')}
      />
      <LifetimeField
        value={lifetime}
        onChange={setLifetime}
        mayBeEndless={false}
        hint={t('lifetimeHint')}
        problem={problemAt(change.problems, 'expiresAt')}
      />
      <ScopePicker
        label={t('scopes')}
        hint={t('scopesHint')}
        offered={account.scopes}
        value={scopes}
        onChange={setScopes}
        problem={problemAt(change.problems, 'scopes')}
      />
      <OwnerPicker label={owners('owner')} hint={owners('ownerHint')} onChoose={setOwnerId} />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
