import { useState } from 'react';
import { Action, Card, Facts, ShownOnce } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { EditDialog } from './edit-dialog.tsx';
import { MemberValue } from './member-value.tsx';
import { type Application, type GroupName, groups, membersOf } from './metadata.ts';

/** All members of a registration, by group. */
export function Registration({ application }: { application: Application }) {
  const t = useTranslations('applications');
  const [edited, setEdited] = useState<GroupName>();
  const [secret, setSecret] = useState<string>();
  return (
    <div className="columns">
      {groups.map((group) => (
        <Card
          key={group}
          title={t(`groups.${group}`)}
          actions={
            <Action
              scopes={['clients:write']}
              aria-label={t('editGroup', { group: t(`groups.${group}`) })}
              onPress={() => setEdited(group)}
            >
              {t('edit')}
            </Action>
          }
        >
          <Facts
            facts={[
              ...membersOf[group].map(
                (member) =>
                  [
                    t(`members.${member.name}.label`),
                    <MemberValue key={member.name} member={member} value={application[member.name]} />,
                  ] as const,
              ),
              ...(group === 'tokens'
                ? [[t('subjectType'), t(`subjectTypes.${application.subjectType}`)] as const]
                : []),
            ]}
          />
        </Card>
      ))}
      {edited && (
        <EditDialog
          application={application}
          group={edited}
          onClose={() => setEdited(undefined)}
          onSecret={setSecret}
        />
      )}
      {secret !== undefined && (
        <ShownOnce
          title={t('secret.shown')}
          credentials={[
            { label: t('clientId'), value: application.id },
            { label: t('secret.label'), value: secret },
          ]}
          onClose={() => setSecret(undefined)}
        />
      )}
    </div>
  );
}
