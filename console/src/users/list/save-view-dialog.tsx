import { useState } from 'react';
import { FormDialog, TextField } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { maxNameLength } from './saved-views.ts';

/** Asks for the name of a view. */
export function SaveViewDialog({ onSave, onClose }: { onSave(name: string): void; onClose(): void }) {
  const t = useTranslations('users.views');
  const [name, setName] = useState('');
  const text = name.trim();
  return (
    <FormDialog
      isOpen
      isBusy={text === ''}
      title={t('save')}
      submit={t('saveSubmit')}
      onClose={onClose}
      onSubmit={() => {
        onSave(text);
        onClose();
      }}
    >
      <TextField
        label={t('name')}
        hint={t('saveHint')}
        value={name}
        onChange={setName}
        maxLength={maxNameLength}
        isRequired
        autoFocus
      />
    </FormDialog>
  );
}
