import { useState } from 'react';
import { Action, Badge, Card, Copyable, Facts, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { SettingsDialog, type Tenant } from './settings-dialog.tsx';

/** Name, deletion policy and audit retention of the tenant. */
export function Settings({ tenant }: { tenant: Tenant }) {
  const t = useTranslations('tenant.settings');
  const [isEditing, setEditing] = useState(false);
  return (
    <Card
      title={t('title')}
      actions={
        <Action scopes={['tenants:write']} onPress={() => setEditing(true)}>
          {t('edit')}
        </Action>
      }
    >
      <Facts
        facts={[
          [t('id'), <Copyable key="id" value={tenant.id} label={t('id')} />],
          [t('name'), tenant.name],
          [
            t('status'),
            <Badge key="status" tone={tenant.status === 'ACTIVE' ? 'good' : 'bad'}>
              {t(`statuses.${tenant.status}`)}
            </Badge>,
          ],
          [t('deletionPolicy'), t(`policies.${tenant.deletionPolicy}`)],
          [t('retention'), t('days', { days: tenant.auditRetentionDays ?? 0 })],
          [t('created'), <Time key="created" at={tenant.createdAt} />],
          [t('changed'), <Time key="changed" at={tenant.updatedAt} />],
        ]}
      />
      {isEditing && <SettingsDialog tenant={tenant} onClose={() => setEditing(false)} />}
    </Card>
  );
}
