import { useState } from 'react';
import { FailureNote, otherProblem } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Action, Card, Facts, FormDialog } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { useSaveSource } from './save-source.tsx';
import type { SourceSettings } from './source.ts';
import { SourceFields, SourceLimits } from './source-fields.tsx';
import { inputOf, limitNames, valuesOf } from './source-values.ts';

/** Permissions and limits of a source. */
export function SourceRights({ source, onReread }: { source: SourceSettings; onReread(): void }) {
  const t = useTranslations('sources.rights');
  const words = useTranslations('common');
  const [isEditing, setEditing] = useState(false);
  const { administrators, userIds, groupIds } = source.protectedAccounts;
  const links = (kind: 'users' | 'groups', ids: readonly string[]) =>
    ids.length === 0
      ? undefined
      : ids.map((id) => (
          <div key={id}>
            <TenantLink path={`${kind}/${id}`}>{id}</TenantLink>
          </div>
        ));
  return (
    <Card
      title={t('title')}
      actions={
        <Action scopes={['connectors:write']} onPress={() => setEditing(true)}>
          {t('edit')}
        </Action>
      }
    >
      <Facts
        facts={[
          [t('access'), t(`accesses.${source.access}`)],
          [
            t('about'),
            source.resourceTypes.map((type) => t(type === 'USER' ? 'users' : 'groups')).join(', '),
          ],
          [t('protectAdministrators'), administrators ? words('yes') : words('no')],
          [t('protectedUsers'), links('users', userIds)],
          [t('protectedGroups'), links('groups', groupIds)],
          [t('vouches'), source.vouchesForEmails ? words('yes') : words('no')],
          ...limitNames.map((name) => [t(`limits.${name}`), source.limits[name] ?? t('service')] as const),
        ]}
      />
      {isEditing && (
        <EditRights
          source={source}
          onClose={() => {
            setEditing(false);
            onReread();
          }}
        />
      )}
    </Card>
  );
}

function EditRights({ source, onClose }: { source: SourceSettings; onClose(): void }) {
  const t = useTranslations('sources.rights');
  const words = useTranslations('common');
  const [values, setValues] = useState(() => valuesOf(source));
  const { save, change, conflict } = useSaveSource(source, onClose);
  const fields = { values, onChange: setValues, problems: change.problems };
  return (
    <>
      <FormDialog
        title={t('editTitle', { name: source.name })}
        isOpen
        size="wide"
        submit={words('save')}
        onClose={onClose}
        isBusy={change.isBusy}
        problem={otherProblem(change.problems, 'name', 'resourceTypes', 'userIds', 'groupIds', ...limitNames)}
        onSubmit={() => void save(inputOf(values))}
      >
        <SourceFields {...fields} />
        <SourceLimits {...fields} />
        <FailureNote failure={change.failure} />
      </FormDialog>
      {conflict}
    </>
  );
}
