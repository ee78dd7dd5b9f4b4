import { type Problem, problemAt } from '../graph/index.ts';
import { Checkbox, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { eventTypes, typeInMessage } from './event-types.ts';
import type { WebhookEventType } from './generated/webhooks.ts';
import './webhooks.css';

export interface WebhookValues {
  name: string;
  endpoint: string;
  types: readonly WebhookEventType[];
}

const sections = ['users', 'groups', 'access'] as const;

export function WebhookFields({
  values,
  onChange,
  problems,
}: {
  values: WebhookValues;
  onChange(values: WebhookValues): void;
  problems: readonly Problem[];
}) {
  const t = useTranslations('webhooks');
  const toggle = (type: WebhookEventType, isOn: boolean) =>
    onChange({
      ...values,
      types: isOn ? [...values.types, type] : values.types.filter((one) => one !== type),
    });
  return (
    <>
      <TextField
        label={t('name')}
        value={values.name}
        onChange={(name) => onChange({ ...values, name })}
        problem={problemAt(problems, 'name')}
        isRequired
        maxLength={200}
      />
      <TextField
        label={t('endpoint')}
        hint={t('endpointHint')}
        type="url"
        placeholder="https://…"
        value={values.endpoint}
        onChange={(endpoint) => onChange({ ...values, endpoint })}
        problem={problemAt(problems, 'endpoint')}
        isRequired
      />
      <div className="event-types">
        {sections.map((section) => (
          <fieldset key={section}>
            <legend>{t(`sections.${section}`)}</legend>
            {eventTypes[section].map((type) => (
              <Checkbox
                key={type}
                isSelected={values.types.includes(type)}
                onChange={(isOn) => toggle(type, isOn)}
              >
                <span>
                  <code>{typeInMessage(type)}</code>
                  <br />
                  <span className="soft">{t(`types.${type}`)}</span>
                </span>
              </Checkbox>
            ))}
          </fieldset>
        ))}
      </div>
      {problemAt(problems, 'types') !== undefined && <p role="alert">{problemAt(problems, 'types')}</p>}
    </>
  );
}
