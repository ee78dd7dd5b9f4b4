import { useState } from 'react';
import { FailureNote, otherProblem, problemAt, useChange, useTheirs } from '../graph/index.ts';
import { Button, Conflict, FormDialog, linesOf, Note } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  TenantPolicySettingsDocument,
  UpdateTenantPolicySettingsDocument,
  type UpdateTenantPolicySettingsMutationVariables,
} from './generated/tenant.ts';
import { PolicyField } from './policy-field.tsx';
import type { Setting, TenantPolicy } from './policy-settings.ts';
import { SettingValue } from './setting-value.tsx';

type Changes = Omit<UpdateTenantPolicySettingsMutationVariables['input'], 'version' | 'idempotencyKey'>;

interface DialogProps {
  setting: Setting;
  policy: TenantPolicy;
  onClose(): void;
}

/** Changes one setting, or restores the default of the installation. */
export function PolicyDialog({ setting, policy, onClose }: DialogProps) {
  const t = useTranslations('tenant.policy');
  const words = useTranslations('common');
  const [base] = useState(policy);
  const [draft, setDraft] = useState(policy);
  const [isDefault, setDefault] = useState(false);
  const change = useChange(UpdateTenantPolicySettingsDocument);
  const theirs = useTheirs(change.problems, TenantPolicySettingsDocument, {}, (data) => data.tenantPolicy);
  const save = async (version: number, toDefault: boolean) => {
    setDefault(toDefault);
    if (await change.run({ ...changesOf(setting, draft, toDefault), version })) onClose();
  };
  const label = t(`settings.${setting.name}.label`);
  if (theirs)
    return (
      <Conflict
        differences={[
          {
            id: setting.name,
            label,
            theirs: <SettingValue setting={setting} policy={theirs} />,
            yours: isDefault ? t('default') : <SettingValue setting={setting} policy={draft} />,
          },
        ]}
        isBusy={change.isBusy}
        onTakeTheirs={onClose}
        onKeepYours={() => void save(theirs.version, isDefault)}
      />
    );
  return (
    <FormDialog
      title={label}
      isOpen
      onClose={onClose}
      submit={words('save')}
      onSubmit={() => void save(base.version, false)}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, setting.name, 'handOverCredentialsTo')}
    >
      <p className="soft">{t(`settings.${setting.name}.explanation`)}</p>
      <PolicyField
        setting={setting}
        draft={draft}
        onChange={(next) => setDraft((before) => ({ ...before, ...next }))}
        problem={(name) => problemAt(change.problems, name)}
      />
      {setting.name === 'requireSecondFactorForAdministrators' && (
        <Note tone="warn">{t('secondFactorNote')}</Note>
      )}
      <p>
        <Button kind="plain" onPress={() => void save(base.version, true)}>
          {t('toDefault')}
        </Button>
      </p>
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

function changesOf(setting: Setting, draft: TenantPolicy, toDefault: boolean): Changes {
  if (setting.kind === 'owned') {
    if (toDefault) return { ownedCredentialsOnOffboarding: null, handOverCredentialsTo: null };
    const { ownedCredentialsOnOffboarding: action, handOverCredentialsTo: receiver } = draft;
    return {
      ownedCredentialsOnOffboarding: action,
      ...(action === 'HAND_OVER' ? { handOverCredentialsTo: receiver } : {}),
    };
  }
  const value = draft[setting.name];
  return { [setting.name]: toDefault ? null : Array.isArray(value) ? linesOf(value) : value };
}
