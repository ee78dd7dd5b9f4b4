import { useQuery } from '@apollo/client/react';
import { OwnerName } from '../owners/index.ts';
import { useTranslations } from '../words/index.ts';
import { PolicyOwnerDocument } from './generated/tenant.ts';
import type { Setting, TenantPolicy } from './policy-settings.ts';

/** Current value of a setting. */
export function SettingValue({ setting, policy }: { setting: Setting; policy: Partial<TenantPolicy> }) {
  const t = useTranslations('tenant.policy');
  const words = useTranslations('common');
  if (setting.kind === 'owned')
    return (
      <>
        {policy.ownedCredentialsOnOffboarding && t(`owned.${policy.ownedCredentialsOnOffboarding}`)}
        {policy.ownedCredentialsOnOffboarding === 'HAND_OVER' && policy.handOverCredentialsTo && (
          <div>
            → <Receiver id={policy.handOverCredentialsTo} />
          </div>
        )}
      </>
    );
  const value = policy[setting.name];
  if (typeof value === 'number') return t('days', { count: value });
  if (typeof value === 'boolean') return words(value ? 'yes' : 'no');
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="soft">{words('none')}</span>;
    const shown = value.slice(0, 5).join(', ');
    return value.length > 5 ? t('andMore', { shown, count: value.length - 5 }) : shown;
  }
  return value === 'FAPI2' || value === 'STANDARD' ? t(`profiles.${value}`) : null;
}

function Receiver({ id }: { id: string }) {
  const { data } = useQuery(PolicyOwnerDocument, { variables: { ids: [id] } });
  const [node] = data?.nodes ?? [];
  return node && ('userName' in node || 'groupName' in node) ? <OwnerName owner={node} /> : <code>{id}</code>;
}
