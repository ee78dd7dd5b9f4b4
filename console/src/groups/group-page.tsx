import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { type Failure, FailureNote } from '../graph/index.ts';
import { Action, Empty, Menu, Page, Tabs } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { DeleteGroupDialog } from './delete-group-dialog.tsx';
import { type Group, useGroup } from './group.ts';
import { GroupProfile } from './group-profile.tsx';
import { GroupRolesTab } from './group-roles-tab.tsx';
import type { GroupTab } from './group-tabs.ts';
import { MembersTab } from './members-tab.tsx';
import { RenameDialog } from './rename-dialog.tsx';

export function GroupPage() {
  const { id } = useParams({ from: '/t/$tenant/groups/$id' });
  const t = useTranslations('groups');
  const words = useTranslations('common');
  const { group, size, isLoading, failure, refetch } = useGroup(id);
  if (group) return <Known key={id} group={group} size={size} failure={failure} refetch={refetch} />;
  if (isLoading) return <Page title={words('loading')}>{null}</Page>;
  return (
    <Page title={t('group')}>
      <FailureNote failure={failure} onRetry={refetch} />
      {!failure && <Empty title={t('gone')}>{t('goneHint')}</Empty>}
    </Page>
  );
}

function Known({
  group,
  size,
  failure,
  refetch,
}: {
  group: Group;
  size: number | undefined;
  failure: Failure | undefined;
  refetch(): void;
}) {
  const t = useTranslations('groups');
  const { tab = 'members' } = useSearch({ from: '/t/$tenant/groups/$id' });
  const navigate = useNavigate({ from: '/t/$tenant/groups/$id' });
  const [step, setStep] = useState<'rename' | 'delete'>();
  const close = () => setStep(undefined);
  return (
    <Page
      title={group.displayName}
      subtitle={size === undefined ? undefined : t('members.count', { count: size })}
      actions={
        <>
          <Action scopes={['groups:write']} onPress={() => setStep('rename')}>
            {t('rename.open')}
          </Action>
          <Menu
            label={t('more')}
            entries={[
              {
                id: 'delete',
                label: t('delete.open'),
                tone: 'bad',
                scopes: ['groups:write'],
                onAction: () => setStep('delete'),
              },
            ]}
          />
        </>
      }
    >
      <FailureNote failure={failure} onRetry={refetch} />
      <Tabs<GroupTab>
        label={t('tabs.label')}
        selected={tab}
        onSelect={(to) => void navigate({ search: { tab: to === 'members' ? undefined : to } })}
        tabs={[
          { id: 'members', title: t('tabs.members'), content: <MembersTab group={group} /> },
          { id: 'roles', title: t('tabs.roles'), content: <GroupRolesTab group={group} /> },
          { id: 'profile', title: t('tabs.profile'), content: <GroupProfile group={group} /> },
        ]}
      />
      {step === 'rename' && <RenameDialog group={group} refetch={refetch} onClose={close} />}
      {step === 'delete' && <DeleteGroupDialog group={group} size={size} onClose={close} />}
    </Page>
  );
}
