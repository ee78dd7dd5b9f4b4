import { Checkbox, LinesField, linesOf, Select, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { SchemaAttributeInput } from './generated/schemas.ts';

const types = [
  'STRING',
  'BOOLEAN',
  'INTEGER',
  'DECIMAL',
  'DATE_TIME',
  'REFERENCE',
  'BINARY',
  'COMPLEX',
] as const;
const mutabilities = ['READ_WRITE', 'READ_ONLY', 'IMMUTABLE', 'WRITE_ONLY'] as const;
const returneds = ['DEFAULT', 'ALWAYS', 'REQUEST', 'NEVER'] as const;
const uniquenesses = ['NONE', 'SERVER'] as const;
const referables = ['User', 'Group', 'external', 'uri'] as const;

export interface AttributeDraft {
  name: string;
  description: string;
  type: (typeof types)[number];
  multiValued: boolean;
  required: boolean;
  caseExact: boolean;
  mutability: (typeof mutabilities)[number];
  returned: (typeof returneds)[number];
  uniqueness: (typeof uniquenesses)[number];
  canonicalValues: readonly string[];
  restrict: boolean;
  referenceType: (typeof referables)[number];
  /** Names of the sub-attributes of a COMPLEX attribute, which are strings. */
  parts: readonly string[];
}

export const emptyAttribute: AttributeDraft = {
  name: '',
  description: '',
  type: 'STRING',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'READ_WRITE',
  returned: 'DEFAULT',
  uniqueness: 'NONE',
  canonicalValues: [],
  restrict: true,
  referenceType: 'User',
  parts: [],
};

/** Returns the input of the graph; members that do not apply to the type are omitted. */
export const attributeInput = (draft: AttributeDraft): SchemaAttributeInput => {
  const values = linesOf(draft.canonicalValues);
  return {
    name: draft.name.trim(),
    type: draft.type,
    multiValued: draft.multiValued,
    required: draft.required,
    mutability: draft.mutability,
    uniqueness: draft.uniqueness,
    ...(draft.description.trim() === '' ? {} : { description: draft.description.trim() }),
    ...(draft.mutability === 'WRITE_ONLY' ? {} : { returned: draft.returned }),
    ...(draft.type === 'STRING' ? { caseExact: draft.caseExact } : {}),
    ...(draft.type === 'STRING' && values.length > 0
      ? { canonicalValues: values, restrictToCanonicalValues: draft.restrict }
      : {}),
    ...(draft.type === 'REFERENCE' ? { referenceTypes: [draft.referenceType] } : {}),
    ...(draft.type === 'COMPLEX'
      ? {
          subAttributes: linesOf(draft.parts).map((name) => ({
            name,
            type: 'STRING' as const,
            mutability: 'READ_WRITE' as const,
            uniqueness: 'NONE' as const,
          })),
        }
      : {}),
  };
};

interface PartProps {
  value: AttributeDraft;
  set(next: Partial<AttributeDraft>): void;
  problem: (name: string) => string | undefined;
}

/** Edits one attribute of a schema (RFC 7643 §2.2), with an explanation of each characteristic. */
export function AttributeForm({
  value,
  onChange,
  problem,
}: {
  value: AttributeDraft;
  onChange(value: AttributeDraft): void;
  problem: (name: string) => string | undefined;
}) {
  const t = useTranslations('schemas.attribute');
  const set = (next: Partial<AttributeDraft>) => onChange({ ...value, ...next });
  return (
    <>
      <TextField
        label={t('name')}
        hint={t('nameHint')}
        isRequired
        value={value.name}
        onChange={(name) => set({ name })}
        problem={problem('name')}
      />
      <TextField
        label={t('description')}
        value={value.description}
        onChange={(description) => set({ description })}
        problem={problem('description')}
      />
      <Select
        label={t('type')}
        options={types.map((id) => ({ id, label: t(`types.${id}`) }))}
        value={value.type}
        onChange={(key) => set({ type: key as AttributeDraft['type'] })}
        problem={problem('type')}
      />
      <OfType value={value} set={set} problem={problem} />
      <Checkbox isSelected={value.multiValued} onChange={(multiValued) => set({ multiValued })}>
        {t('multiValued')}
      </Checkbox>
      <Checkbox isSelected={value.required} onChange={(required) => set({ required })}>
        {t('required')}
      </Checkbox>
      <Rules value={value} set={set} problem={problem} />
    </>
  );
}

/** Mutability, visibility and uniqueness. */
function Rules({ value, set, problem }: PartProps) {
  const t = useTranslations('schemas.attribute');
  return (
    <>
      <Select
        label={t('mutability')}
        options={mutabilities.map((id) => ({ id, label: t(`mutabilities.${id}`) }))}
        value={value.mutability}
        onChange={(key) => set({ mutability: key as AttributeDraft['mutability'] })}
        problem={problem('mutability')}
      />
      {value.mutability !== 'WRITE_ONLY' && (
        <Select
          label={t('returned')}
          options={returneds.map((id) => ({ id, label: t(`returneds.${id}`) }))}
          value={value.returned}
          onChange={(key) => set({ returned: key as AttributeDraft['returned'] })}
          problem={problem('returned')}
        />
      )}
      {value.type !== 'COMPLEX' && value.type !== 'BOOLEAN' && (
        <Select
          label={t('uniqueness')}
          options={uniquenesses.map((id) => ({ id, label: t(`uniquenesses.${id}`) }))}
          value={value.uniqueness}
          onChange={(key) => set({ uniqueness: key as AttributeDraft['uniqueness'] })}
          problem={problem('uniqueness')}
        />
      )}
    </>
  );
}

/** Members that only some types have. */
function OfType({ value, set, problem }: PartProps) {
  const t = useTranslations('schemas.attribute');
  if (value.type === 'STRING')
    return (
      <>
        <Checkbox isSelected={value.caseExact} onChange={(caseExact) => set({ caseExact })}>
          {t('caseExact')}
        </Checkbox>
        <LinesField
          label={t('canonicalValues')}
          hint={t('canonicalValuesHint')}
          value={value.canonicalValues}
          onChange={(canonicalValues) => set({ canonicalValues })}
          problem={problem('canonicalValues')}
        />
        {value.canonicalValues.length > 0 && (
          <Checkbox isSelected={value.restrict} onChange={(restrict) => set({ restrict })}>
            {t('restrict')}
          </Checkbox>
        )}
      </>
    );
  if (value.type === 'REFERENCE')
    return (
      <Select
        label={t('referenceType')}
        options={referables.map((id) => ({ id, label: t(`referenceTypes.${id}`) }))}
        value={value.referenceType}
        onChange={(key) => set({ referenceType: key as AttributeDraft['referenceType'] })}
        problem={problem('referenceTypes')}
      />
    );
  if (value.type === 'COMPLEX')
    return (
      <LinesField
        label={t('parts')}
        hint={t('partsHint')}
        isRequired
        value={value.parts}
        onChange={(parts) => set({ parts })}
        problem={problem('subAttributes')}
      />
    );
  return null;
}
