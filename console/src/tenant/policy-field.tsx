import { OwnerPicker } from '../owners/index.ts';
import { Checkbox, LinesField, Select, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Setting, TenantPolicy } from './policy-settings.ts';

interface FieldProps {
  setting: Setting;
  draft: TenantPolicy;
  onChange(next: Partial<TenantPolicy>): void;
  problem(name: string): string | undefined;
}

/** Input field of one setting. */
export function PolicyField({ setting, draft, onChange, problem }: FieldProps) {
  const t = useTranslations('tenant.policy');
  const { name } = setting;
  const label = t(`settings.${name}.label`);
  const value = draft[name];
  switch (setting.kind) {
    case 'boolean':
      return (
        <Checkbox isSelected={value === true} onChange={(isOn) => onChange({ [name]: isOn })}>
          {label}
        </Checkbox>
      );
    case 'lines':
      return (
        <LinesField
          label={label}
          hint={name === 'webOrigins' ? t('originsHint') : t('wordsHint')}
          value={Array.isArray(value) ? value : []}
          onChange={(lines) => onChange({ [name]: [...lines] })}
          problem={problem(name)}
        />
      );
    case 'days':
      return (
        <TextField
          label={label}
          hint={t(`settings.${name}.explanation`)}
          inputMode="numeric"
          value={String(value ?? '')}
          onChange={(text) => onChange({ [name]: Number(text.replace(/\D/g, '')) })}
          problem={problem(name)}
        />
      );
    case 'choice':
      return (
        <Select
          label={label}
          options={(['STANDARD', 'FAPI2'] as const).map((id) => ({ id, label: t(`profiles.${id}`) }))}
          value={draft.requiredClientProfile}
          onChange={(key) =>
            onChange({ requiredClientProfile: key as TenantPolicy['requiredClientProfile'] })
          }
          problem={problem(name)}
        />
      );
    case 'owned':
      return <OwnedField label={label} draft={draft} onChange={onChange} problem={problem} />;
  }
}

function OwnedField({ label, draft, onChange, problem }: Omit<FieldProps, 'setting'> & { label: string }) {
  const t = useTranslations('tenant.policy');
  return (
    <>
      <Select
        label={label}
        options={(['REVOKE', 'SUSPEND', 'HAND_OVER'] as const).map((id) => ({ id, label: t(`owned.${id}`) }))}
        value={draft.ownedCredentialsOnOffboarding}
        onChange={(key) =>
          onChange({ ownedCredentialsOnOffboarding: key as TenantPolicy['ownedCredentialsOnOffboarding'] })
        }
        problem={problem('ownedCredentialsOnOffboarding')}
      />
      {draft.ownedCredentialsOnOffboarding === 'HAND_OVER' && (
        <OwnerPicker
          label={t('receiver')}
          hint={t('receiverHint')}
          onChoose={(id) => id !== undefined && onChange({ handOverCredentialsTo: id })}
          problem={problem('handOverCredentialsTo')}
        />
      )}
    </>
  );
}
