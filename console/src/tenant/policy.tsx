import './tenant.css';
import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { FailureNote, failureOf } from '../graph/index.ts';
import { Action, Card, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { TenantPolicySettingsDocument } from './generated/tenant.ts';
import { PolicyDialog } from './policy-dialog.tsx';
import { type Setting, settingGroups, settingsOf, type TenantPolicy } from './policy-settings.ts';
import { SettingValue } from './setting-value.tsx';

/** All settings of the tenant policy, with explanations. */
export function Policy() {
  const t = useTranslations('tenant.policy');
  const { data, error, refetch } = useQuery(TenantPolicySettingsDocument);
  const [edited, setEdited] = useState<Setting>();
  const policy = data?.tenantPolicy;
  return (
    <>
      <p className="soft">
        {t('lead')}{' '}
        {policy &&
          (policy.updatedAt === null ? (
            t('untouched')
          ) : (
            <>
              {t('changed')} <Time at={policy.updatedAt} />
            </>
          ))}
      </p>
      <FailureNote failure={error && failureOf(error)} onRetry={() => void refetch()} />
      {policy &&
        settingGroups.map((group) => (
          <Card key={group} title={t(`groups.${group}`)}>
            <ul className="rows">
              {settingsOf[group].map((setting) => (
                <SettingRow
                  key={setting.name}
                  setting={setting}
                  policy={policy}
                  onEdit={() => setEdited(setting)}
                />
              ))}
            </ul>
          </Card>
        ))}
      {policy && edited && (
        <PolicyDialog setting={edited} policy={policy} onClose={() => setEdited(undefined)} />
      )}
    </>
  );
}

function SettingRow({ setting, policy, onEdit }: { setting: Setting; policy: TenantPolicy; onEdit(): void }) {
  const t = useTranslations('tenant.policy');
  const name = t(`settings.${setting.name}.label`);
  return (
    <li>
      <div className="grow">
        <strong>{name}</strong>
        <div className="soft">{t(`settings.${setting.name}.explanation`)}</div>
      </div>
      <div className="setting-value">
        <SettingValue setting={setting} policy={policy} />
      </div>
      <Action scopes={['tenants:write']} aria-label={t('change', { name })} onPress={onEdit}>
        {t('edit')}
      </Action>
    </li>
  );
}
