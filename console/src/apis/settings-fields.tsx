import { type Problem, problemAt } from '../graph/index.ts';
import { Select, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Api } from './api.ts';

/** Values of the form. */
export interface Settings {
  name: string;
  tokenFormat: Api['tokenFormat'];
  /** Seconds as text; empty for the lifetime of the installation. */
  lifetime: string;
}

export const settingsOf = ({ name, tokenFormat, tokenLifetimeSeconds }: Api): Settings => ({
  name,
  tokenFormat,
  lifetime: tokenLifetimeSeconds === null ? '' : String(tokenLifetimeSeconds),
});

/** Returns the settings as input of the graph: null is the lifetime of the installation. */
export const settingsInput = ({ name, tokenFormat, lifetime }: Settings) => ({
  name: name.trim(),
  tokenFormat,
  tokenLifetimeSeconds: lifetime === '' ? null : Number(lifetime),
});

/** Returns only the changed settings, so that those of a concurrent change are kept. */
export function changedSettings(before: Settings, next: Settings): Partial<ReturnType<typeof settingsInput>> {
  const { name, tokenFormat, tokenLifetimeSeconds } = settingsInput(next);
  return {
    ...(next.name === before.name ? {} : { name }),
    ...(next.tokenFormat === before.tokenFormat ? {} : { tokenFormat }),
    ...(next.lifetime === before.lifetime ? {} : { tokenLifetimeSeconds }),
  };
}

export function SettingsFields({
  value,
  onChange,
  problems,
}: {
  value: Settings;
  onChange(next: Settings): void;
  problems: readonly Problem[];
}) {
  const t = useTranslations('apis');
  return (
    <>
      <TextField
        label={t('fields.name')}
        hint={t('hints.name')}
        isRequired
        value={value.name}
        onChange={(name) => onChange({ ...value, name })}
        problem={problemAt(problems, 'name')}
      />
      <Select
        label={t('fields.tokenFormat')}
        hint={t(`formatHints.${value.tokenFormat}`)}
        options={(['JWT', 'OPAQUE'] as const).map((id) => ({ id, label: t(`formats.${id}`) }))}
        value={value.tokenFormat}
        onChange={(key) => onChange({ ...value, tokenFormat: key === 'OPAQUE' ? 'OPAQUE' : 'JWT' })}
        problem={problemAt(problems, 'tokenFormat')}
      />
      <TextField
        label={t('fields.lifetime')}
        hint={t('hints.lifetime')}
        inputMode="numeric"
        value={value.lifetime}
        onChange={(text) => onChange({ ...value, lifetime: text.replace(/\D/g, '').slice(0, 9) })}
        problem={problemAt(problems, 'tokenLifetimeSeconds')}
      />
    </>
  );
}
