import { useState } from 'react';
import { FailureNote, otherProblem } from '../graph/index.ts';
import { FormDialog } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Api } from './api.ts';
import { changedSettings, type Settings, SettingsFields, settingsOf } from './settings-fields.tsx';
import { useApiChange } from './use-api-change.tsx';

const names = ['name', 'tokenFormat', 'lifetime'] as const;

export function EditSettings({ api, onClose }: { api: Api; onClose(): void }) {
  const t = useTranslations('apis');
  const words = useTranslations('common');
  const conflictWords = useTranslations('conflict');
  const [before] = useState(() => settingsOf(api));
  const [settings, setSettings] = useState(before);
  const shown = (of: Settings, name: (typeof names)[number]) =>
    (name === 'tokenFormat' ? t(`formats.${of.tokenFormat}`) : of[name]) || t('usualLifetime');
  const change = useApiChange(
    api,
    () => changedSettings(before, settings),
    (_base, theirs) =>
      names.flatMap((name) => {
        const now = settingsOf(theirs);
        const isMine = before[name] !== settings[name];
        if (!isMine && before[name] === now[name]) return [];
        return [
          {
            id: name,
            label: t(`fields.${name}`),
            theirs: shown(now, name),
            yours: isMine ? shown(settings, name) : conflictWords('notYours'),
          },
        ];
      }),
    onClose,
  );
  if (change.conflict) return change.conflict;
  return (
    <FormDialog
      title={t('settings')}
      isOpen
      onClose={onClose}
      submit={words('save')}
      onSubmit={() => void change.save()}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'name', 'tokenFormat', 'tokenLifetimeSeconds')}
    >
      <SettingsFields value={settings} onChange={setSettings} problems={change.problems} />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}
