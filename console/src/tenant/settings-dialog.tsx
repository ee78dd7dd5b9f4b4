import { useState } from 'react';
import { FailureNote, otherProblem, type Problem, problemAt, useChange, useTheirs } from '../graph/index.ts';
import { Conflict, type Difference, FormDialog, Note, Select, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import {
  TenantSettingsDocument,
  type TenantSettingsQuery,
  UpdateTenantSettingsDocument,
} from './generated/tenant.ts';

export type Tenant = NonNullable<TenantSettingsQuery['tenant']>;

interface Draft {
  name: string;
  deletionPolicy: Tenant['deletionPolicy'];
  /** Typed number of days; empty means unlimited. */
  days: string;
}

/** Changes the settings of the tenant, based on the version at the time of opening. */
export function SettingsDialog({ tenant, onClose }: { tenant: Tenant; onClose(): void }) {
  const t = useTranslations('tenant.settings');
  const words = useTranslations('common');
  const [base] = useState(tenant);
  const [draft, setDraft] = useState<Draft>({
    name: tenant.name,
    deletionPolicy: tenant.deletionPolicy,
    days: tenant.auditRetentionDays === null ? '' : String(tenant.auditRetentionDays),
  });
  const change = useChange(UpdateTenantSettingsDocument);
  const theirs = useTheirs(change.problems, TenantSettingsDocument, {}, (data) => data.tenant);
  const changes = changesOf(draft, base);
  const differences = useDifferences(theirs, draft).filter(({ id }) => id in changes);
  const save = async (version: number) => {
    if (!isNumber(draft.days)) return;
    if (Object.keys(changes).length === 0) return onClose();
    if (await change.run({ ...changes, version })) onClose();
  };
  if (theirs)
    return (
      <Conflict
        differences={differences}
        isBusy={change.isBusy}
        onTakeTheirs={onClose}
        onKeepYours={() => void save(theirs.version)}
      />
    );
  return (
    <FormDialog
      title={t('title')}
      isOpen
      onClose={onClose}
      submit={words('save')}
      onSubmit={() => void save(base.version)}
      isBusy={change.isBusy}
      problem={otherProblem(change.problems, 'name', 'deletionPolicy', 'auditRetentionDays')}
    >
      <Fields
        draft={draft}
        onChange={setDraft}
        wasSoft={base.deletionPolicy === 'SOFT'}
        problems={change.problems}
      />
      <FailureNote failure={change.failure} />
    </FormDialog>
  );
}

function Fields({
  draft,
  onChange,
  wasSoft,
  problems,
}: {
  draft: Draft;
  onChange(draft: Draft): void;
  wasSoft: boolean;
  problems: readonly Problem[];
}) {
  const t = useTranslations('tenant.settings');
  return (
    <>
      <TextField
        label={t('name')}
        isRequired
        value={draft.name}
        onChange={(name) => onChange({ ...draft, name })}
        problem={problemAt(problems, 'name')}
      />
      <Select
        label={t('deletionPolicy')}
        hint={t('deletionHint')}
        options={(['SOFT', 'HARD'] as const).map((id) => ({ id, label: t(`policies.${id}`) }))}
        value={draft.deletionPolicy}
        onChange={(key) => onChange({ ...draft, deletionPolicy: key as Draft['deletionPolicy'] })}
        problem={problemAt(problems, 'deletionPolicy')}
      />
      {draft.deletionPolicy === 'HARD' && wasSoft && <Note tone="warn">{t('hardWarning')}</Note>}
      <TextField
        label={t('retention')}
        hint={t('retentionHint')}
        inputMode="numeric"
        value={draft.days}
        onChange={(days) => onChange({ ...draft, days })}
        problem={isNumber(draft.days) ? problemAt(problems, 'auditRetentionDays') : t('retentionHint')}
      />
    </>
  );
}

const isNumber = (days: string): boolean => days.trim() === '' || /^\d{2,5}$/.test(days.trim());
const retentionOf = ({ days }: Draft): number | null => (days.trim() === '' ? null : Number(days));

function changesOf(draft: Draft, base: Tenant) {
  const name = draft.name.trim();
  const { deletionPolicy } = draft;
  const auditRetentionDays = retentionOf(draft);
  return {
    ...(name === base.name ? {} : { name }),
    ...(deletionPolicy === base.deletionPolicy ? {} : { deletionPolicy }),
    ...(auditRetentionDays === base.auditRetentionDays ? {} : { auditRetentionDays }),
  };
}

function useDifferences(theirs: Tenant | undefined, draft: Draft): Difference[] {
  const t = useTranslations('tenant.settings');
  if (!theirs) return [];
  return [
    { id: 'name', label: t('name'), theirs: theirs.name, yours: draft.name },
    {
      id: 'deletionPolicy',
      label: t('deletionPolicy'),
      theirs: t(`policies.${theirs.deletionPolicy}`),
      yours: t(`policies.${draft.deletionPolicy}`),
    },
    {
      id: 'auditRetentionDays',
      label: t('retention'),
      theirs: t('days', { days: theirs.auditRetentionDays ?? 0 }),
      yours: t('days', { days: retentionOf(draft) ?? 0 }),
    },
  ];
}
