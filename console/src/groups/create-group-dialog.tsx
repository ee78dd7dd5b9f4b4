import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange } from '../graph/index.ts';
import { FormDialog, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { AddGroupDocument } from './generated/groups.ts';

export function CreateGroupDialog({ onClose }: { onClose(): void }) {
  const t = useTranslations('groups.create');
  const [displayName, setDisplayName] = useState('');
  const add = useChange(AddGroupDocument);
  const navigate = useNavigate({ from: '/t/$tenant/groups' });
  const submit = async () => {
    const done = await add.run({ displayName: displayName.trim() });
    const id = done?.createGroup?.group?.id;
    if (id) void navigate({ to: '/t/$tenant/groups/$id', params: (now) => ({ ...now, id }) });
  };
  return (
    <FormDialog
      title={t('title')}
      isOpen
      onClose={onClose}
      submit={t('submit')}
      isBusy={add.isBusy}
      onSubmit={() => void submit()}
      problem={otherProblem(add.problems, 'displayName')}
    >
      <TextField
        label={t('name')}
        value={displayName}
        onChange={setDisplayName}
        problem={problemAt(add.problems, 'displayName')}
        isRequired
        autoFocus
      />
      <FailureNote failure={add.failure} />
    </FormDialog>
  );
}
