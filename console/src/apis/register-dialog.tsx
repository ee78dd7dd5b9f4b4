import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange } from '../graph/index.ts';
import { FormDialog, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { RegisterApiDocument } from './generated/apis.ts';
import { type Settings, SettingsFields, settingsInput } from './settings-fields.tsx';

/** Registers an API; its scopes and roles are added on its page. */
export function RegisterDialog({ onClose, onDone }: { onClose(): void; onDone(id: string): void }) {
  const t = useTranslations('apis');
  const change = useChange(RegisterApiDocument);
  const [identifier, setIdentifier] = useState('');
  const [settings, setSettings] = useState<Settings>({ name: '', tokenFormat: 'JWT', lifetime: '' });
  const submit = async () => {
    const done = await change.run({ identifier: identifier.trim(), ...settingsInput(settings) });
    const id = done?.registerApi?.api?.id;
    if (id === undefined) return;
    onClose();
    onDone(id);
  };
  return (
    <FormDialog
      title={t('register')}
      isOpen
      onClose={onClose}
      submit={t('register')}
      onSubmit={() => void submit()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'identifier', 'name', 'tokenFormat', 'tokenLifetimeSeconds')}
    >
      <TextField
        label={t('fields.identifier')}
        hint={t('hints.identifier')}
        placeholder="https://orders.example.com"
        isRequired
        autoFocus
        value={identifier}
        onChange={setIdentifier}
        problem={problemAt(change.problems, 'identifier')}
      />
      <SettingsFields value={settings} onChange={setSettings} problems={change.problems} />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
