import { useQuery } from '@apollo/client/react';
import { X } from 'lucide-react';
import { useDeferredValue, useState } from 'react';
import { useMay } from '../session/index.ts';
import { Button, Checkbox, Combo, Select, TextField } from '../ui/index.ts';
import { useFormatter, useTranslations } from '../words/index.ts';
import { type ConditionName, conditionNames, type LogFilter } from './filter.ts';
import { LogPeopleDocument } from './generated/people.ts';
import { type LogName, logNames } from './log-name.ts';

/** Conditions of the search, each of which can be removed. */
export function Conditions({
  filter,
  onChange,
}: {
  filter: LogFilter;
  onChange(name: ConditionName, value: string | undefined): void;
}) {
  const t = useTranslations('logs');
  const format = useFormatter();
  const [name, setName] = useState<ConditionName>('person');
  const given = conditionNames.flatMap((one) =>
    filter[one] === undefined ? [] : [[one, filter[one]] as const],
  );
  return (
    <>
      <div className="conditions">
        <Select
          label={t('narrowBy')}
          options={conditionNames.map((id) => ({ id, label: t(`conditions.${id}`) }))}
          value={name}
          onChange={(value) => setName(conditionNames.find((one) => one === value) ?? name)}
        />
        <Value key={name} name={name} onGiven={(value) => onChange(name, value)} />
      </div>
      {given.length > 0 && (
        <div className="chips">
          {given.map(([one, value]) => {
            const isTime = one === 'since' || one === 'until';
            const shown = isTime
              ? format.dateTime(new Date(value), { dateStyle: 'medium', timeStyle: 'medium' })
              : value;
            return (
              <Button
                key={one}
                aria-label={t('takeAway', { condition: t(`conditions.${one}`), value: shown })}
                onPress={() => onChange(one, undefined)}
              >
                <span className="soft">{t(`conditions.${one}`)}</span> {shown} <X aria-hidden />
              </Button>
            );
          })}
        </div>
      )}
    </>
  );
}

function Value({ name, onGiven }: { name: ConditionName; onGiven(value: string): void }) {
  const mayFind = useMay('users:read');
  if (name === 'person' || name === 'actor')
    return mayFind ? <Person name={name} onGiven={onGiven} /> : <Text name={name} onGiven={onGiven} />;
  return <Text name={name} onGiven={onGiven} />;
}

function Text({ name, onGiven }: { name: ConditionName; onGiven(value: string): void }) {
  const t = useTranslations('logs');
  const [text, setText] = useState('');
  const isTime = name === 'since' || name === 'until';
  const give = () => {
    const value = text.trim();
    if (value === '') return;
    onGiven(isTime ? new Date(value).toISOString() : value);
    setText('');
  };
  return (
    <form
      className="conditions"
      onSubmit={(event) => {
        event.preventDefault();
        give();
      }}
    >
      <TextField
        label={t(`values.${name}`)}
        value={text}
        onChange={setText}
        {...(isTime ? { type: 'datetime-local' } : {})}
      />
      <Button type="submit">{t('narrow')}</Button>
    </form>
  );
}

/** Chooses a user by name; other actors (a client, an identity source) by id. */
function Person({ name, onGiven }: { name: 'person' | 'actor'; onGiven(value: string): void }) {
  const t = useTranslations('logs');
  const [text, setText] = useState('');
  const wanted = useDeferredValue(text.trim());
  const { data } = useQuery(LogPeopleDocument, { variables: { text: wanted }, skip: wanted === '' });
  const people = (data?.users?.edges ?? []).flatMap(({ node }) =>
    node ? [{ id: node.id, label: node.displayName ?? node.userName, detail: node.userName }] : [],
  );
  const isId = /^[0-9a-f-]{36}$/i.test(wanted);
  return (
    <Combo
      label={t(`values.${name}`)}
      items={isId ? [{ id: wanted, label: wanted }, ...people] : people}
      text={text}
      onText={setText}
      onChoose={(found) => {
        if (!found) return;
        onGiven(found.id);
        setText('');
      }}
    />
  );
}

/** Chooses the logs to search. */
export function LogChoice({
  may,
  wanted,
  onChange,
}: {
  may: ReadonlySet<LogName>;
  wanted: readonly LogName[];
  onChange(wanted: readonly LogName[]): void;
}) {
  const t = useTranslations('logs');
  const isOn = (log: LogName) => wanted.length === 0 || wanted.includes(log);
  return (
    <fieldset className="log-choices">
      <legend className="visually-hidden">{t('which')}</legend>
      {logNames.map((log) => (
        <Checkbox
          key={log}
          isDisabled={!may.has(log)}
          isSelected={may.has(log) && isOn(log)}
          onChange={(on) => {
            const next = logNames.filter((one) => (one === log ? on : isOn(one)));
            onChange(next.length === logNames.length ? [] : next);
          }}
        >
          {may.has(log) ? t(`names.${log}`) : t('nameLocked', { name: t(`names.${log}`) })}
        </Checkbox>
      ))}
    </fieldset>
  );
}
