import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Button, FormDialog, Note, Select, TextField } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import {
  attributes,
  type Condition,
  type Conditions,
  conditionsOf,
  filterText,
  kindOf,
  type Operator,
  operators,
  operatorsFor,
} from './scim-filter.ts';

const first: Condition = { attribute: 'userName', operator: 'sw', value: '' };

/** Edits a SCIM filter with a builder and as text, in sync. */
export function FilterDialog({
  filter,
  onApply,
  onClose,
}: {
  filter: string;
  onApply(filter: string): void;
  onClose(): void;
}) {
  const t = useTranslations('users.filter');
  const [text, setText] = useState(filter);
  const [built, setBuilt] = useState<Conditions | undefined>(() => conditionsOf(filter));
  const write = (to: Conditions) => {
    setBuilt(to);
    setText(filterText(to));
  };
  const edit = (to: string) => {
    setText(to);
    setBuilt(conditionsOf(to));
  };
  return (
    <FormDialog
      title={t('title')}
      isOpen
      size="wide"
      onClose={onClose}
      submit={t('apply')}
      isBusy={false}
      onSubmit={() => {
        onApply(text.trim());
        onClose();
      }}
    >
      {built ? <Builder built={built} onChange={write} /> : <Note>{t('textOnly')}</Note>}
      <TextField
        label={t('text')}
        hint={t('textHint')}
        rows={3}
        value={text}
        onChange={edit}
        spellCheck="false"
      />
    </FormDialog>
  );
}

function Builder({ built, onChange }: { built: Conditions; onChange(built: Conditions): void }) {
  const t = useTranslations('users.filter');
  const { join, conditions } = built;
  const replace = (index: number, by: Condition | undefined) =>
    onChange({ join, conditions: conditions.flatMap((one, at) => (at === index ? (by ?? []) : one)) });
  return (
    <div className="stack">
      {conditions.length > 1 && (
        <Select
          label={t('join')}
          options={[
            { id: 'and', label: t('joins.and') },
            { id: 'or', label: t('joins.or') },
          ]}
          value={join}
          onChange={(value) => onChange({ conditions, join: value === 'or' ? 'or' : 'and' })}
        />
      )}
      {conditions.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions are identified by position
        <ConditionRow key={index} condition={condition} onChange={(by) => replace(index, by)} />
      ))}
      <div>
        <Button onPress={() => onChange({ join, conditions: [...conditions, first] })}>
          <Plus aria-hidden /> {t('add')}
        </Button>
      </div>
    </div>
  );
}

function ConditionRow({
  condition,
  onChange,
}: {
  condition: Condition;
  onChange(condition: Condition | undefined): void;
}) {
  const t = useTranslations('users.filter');
  const { attribute, operator } = condition;
  const kind = kindOf(attribute);
  const known = attributes.map(({ path, name }) => ({ id: path as string, label: t(`attributes.${name}`) }));
  const options = known.some(({ id }) => id === attribute)
    ? known
    : [...known, { id: attribute, label: attribute }];
  const choose = (path: string) => {
    const fitting = operatorsFor(kindOf(path));
    onChange({
      attribute: path,
      operator: fitting.includes(operator) ? operator : (fitting[0] ?? 'eq'),
      value: kindOf(path) === 'boolean' ? 'true' : kind === kindOf(path) ? condition.value : '',
    });
  };
  return (
    <div className="condition">
      <Select
        label={t('attribute')}
        options={options}
        value={attribute}
        onChange={(value) => choose(String(value))}
      />
      <Select
        label={t('operator')}
        options={operatorsFor(kind).map((one) => ({ id: one, label: t(`operators.${one}`) }))}
        value={operator}
        onChange={(value) => onChange({ ...condition, operator: operatorOf(value) })}
      />
      {operator !== 'pr' && <Value condition={condition} onChange={onChange} />}
      <Button kind="plain" aria-label={t('remove')} onPress={() => onChange(undefined)}>
        <Trash2 aria-hidden />
      </Button>
    </div>
  );
}

const operatorOf = (value: unknown): Operator => operators.find((one) => one === value) ?? 'eq';

function Value({ condition, onChange }: { condition: Condition; onChange(condition: Condition): void }) {
  const t = useTranslations('users.filter');
  const words = useTranslations('common');
  const kind = kindOf(condition.attribute);
  const set = (value: string) => onChange({ ...condition, value });
  if (kind === 'boolean')
    return (
      <Select
        label={t('value')}
        options={[
          { id: 'true', label: words('yes') },
          { id: 'false', label: words('no') },
        ]}
        value={condition.value}
        onChange={(value) => set(String(value))}
      />
    );
  return (
    <TextField
      label={t('value')}
      value={condition.value}
      onChange={set}
      {...(kind === 'time' ? { placeholder: '2026-01-31T00:00:00Z' } : {})}
    />
  );
}
