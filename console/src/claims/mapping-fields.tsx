import { Button, Checkbox, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Mapping } from './mapping.ts';

/** Maximum number of mappings of an API or a client. */
const maxMappings = 32;

/** A row of fields for each mapping. */
export function MappingFields({
  value,
  onChange,
}: {
  value: readonly Mapping[];
  onChange(next: readonly Mapping[]): void;
}) {
  const t = useTranslations('claims');
  const change = (index: number, next: Partial<Mapping>) =>
    onChange(value.map((one, at) => (at === index ? { ...one, ...next } : one)));
  return (
    <>
      {value.map((mapping, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity, and names change while they are typed
        <fieldset key={index} className="stack">
          <legend className="visually-hidden">{t('row', { number: index + 1 })}</legend>
          <TextField
            label={t('name')}
            isRequired
            value={mapping.name}
            onChange={(name) => change(index, { name })}
          />
          <TextField
            label={t('expression')}
            rows={2}
            isRequired
            placeholder="user.department"
            value={mapping.expression}
            onChange={(expression) => change(index, { expression })}
          />
          <Checkbox isSelected={mapping.required} onChange={(required) => change(index, { required })}>
            {t('requiredLabel')}
          </Checkbox>
          <div className="actions">
            <Button
              kind="plain"
              aria-label={t('removeRow', { number: index + 1 })}
              onPress={() => onChange(value.filter((_one, at) => at !== index))}
            >
              {t('remove')}
            </Button>
          </div>
        </fieldset>
      ))}
      {value.length < maxMappings && (
        <Button onPress={() => onChange([...value, { name: '', expression: '', required: false }])}>
          {t('add')}
        </Button>
      )}
    </>
  );
}
