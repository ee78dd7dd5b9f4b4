import { type Problem, problemAt } from '../graph/index.ts';
import { Checkbox, LinesField, Select, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { limitNames, type SourceValues } from './source-values.ts';

interface FieldsProps {
  values: SourceValues;
  onChange(values: SourceValues): void;
  problems: readonly Problem[];
}

/** Main settings of a source. */
export function SourceFields({ values, onChange, problems }: FieldsProps) {
  const t = useTranslations('sources.rights');
  const set = (change: Partial<SourceValues>) => onChange({ ...values, ...change });
  return (
    <>
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        value={values.name}
        onChange={(name) => set({ name })}
        problem={problemAt(problems, 'name')}
        isRequired
        maxLength={200}
      />
      <Select
        label={t('access')}
        options={[
          { id: 'READ_WRITE', label: t('accesses.READ_WRITE') },
          { id: 'READ_ONLY', label: t('accesses.READ_ONLY') },
        ]}
        value={values.access}
        onChange={(access) => set({ access: access === 'READ_ONLY' ? 'READ_ONLY' : 'READ_WRITE' })}
      />
      <fieldset className="choices">
        <legend>{t('about')}</legend>
        <Checkbox isSelected={values.users} onChange={(users) => set({ users })}>
          {t('users')}
        </Checkbox>
        <Checkbox isSelected={values.groups} onChange={(groups) => set({ groups })}>
          {t('groups')}
        </Checkbox>
        {problemAt(problems, 'resourceTypes') !== undefined && (
          <p className="problem">{problemAt(problems, 'resourceTypes')}</p>
        )}
      </fieldset>
      <Checkbox
        isSelected={values.protectsAdministrators}
        onChange={(protectsAdministrators) => set({ protectsAdministrators })}
      >
        <span>
          {t('protectAdministrators')}
          <br />
          <span className="soft">{t('protectAdministratorsHint')}</span>
        </span>
      </Checkbox>
      <Checkbox
        isSelected={values.vouchesForEmails}
        onChange={(vouchesForEmails) => set({ vouchesForEmails })}
      >
        <span>
          {t('vouches')}
          <br />
          <span className="soft">{t('vouchesHint')}</span>
        </span>
      </Checkbox>
    </>
  );
}

/** Less common settings: protected accounts and rate limits. */
export function SourceLimits({ values, onChange, problems }: FieldsProps) {
  const t = useTranslations('sources.rights');
  const set = (change: Partial<SourceValues>) => onChange({ ...values, ...change });
  return (
    <>
      <LinesField
        label={t('protectedUsers')}
        hint={t('protectedHint')}
        value={values.protectedUsers}
        onChange={(protectedUsers) => set({ protectedUsers })}
        problem={problemAt(problems, 'userIds')}
      />
      <LinesField
        label={t('protectedGroups')}
        hint={t('protectedGroupsHint')}
        value={values.protectedGroups}
        onChange={(protectedGroups) => set({ protectedGroups })}
        problem={problemAt(problems, 'groupIds')}
      />
      {limitNames.map((name) => (
        <TextField
          key={name}
          label={t(`limits.${name}`)}
          hint={t('limitHint')}
          inputMode="numeric"
          value={values.limits[name]}
          onChange={(text) => set({ limits: { ...values.limits, [name]: text.replace(/\D/g, '') } })}
          problem={problemAt(problems, name)}
        />
      ))}
    </>
  );
}
