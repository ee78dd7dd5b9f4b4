import { type Ref, useState } from 'react';
import { Radio, RadioGroup } from 'react-aria-components';
import { Button, Note } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { changedFields, type FieldName, type Values } from './profile-values.ts';

type Choice = 'theirs' | 'yours';

/** Shows a concurrent change beside the user's own, with a choice per field. */
export function FieldConflicts({
  ref,
  base,
  yours,
  theirs,
  onResolve,
}: {
  ref: Ref<HTMLDivElement>;
  base: Values;
  yours: Values;
  theirs: Values;
  onResolve(values: Values): void;
}) {
  const t = useTranslations('profile');
  const words = useTranslations('conflict');
  const [choices, setChoices] = useState<Partial<Record<FieldName, Choice>>>({});
  const mine = new Set(changedFields(base, yours));
  const differing = changedFields(theirs, yours);
  const changedByThem = new Set(changedFields(base, theirs));
  const contested = differing.filter((name) => mine.has(name) && changedByThem.has(name));
  const choiceOf = (name: FieldName): Choice => choices[name] ?? (mine.has(name) ? 'yours' : 'theirs');
  const resolve = () => {
    const taken = differing.filter((name) => choiceOf(name) === 'theirs').map((name) => [name, theirs[name]]);
    onResolve({ ...yours, ...Object.fromEntries(taken) });
  };
  return (
    <Note tone="warn">
      <div className="stack" ref={ref} tabIndex={-1}>
        <strong>{words('title')}</strong>
        <span>{contested.length === 0 ? t('conflict.elsewhere') : t('conflict.lead')}</span>
        {contested.length > 0 && (
          <div className="conflicts">
            {contested.map((name) => (
              <RadioGroup
                key={name}
                className="conflict"
                aria-label={t(`fields.${name}`)}
                value={choiceOf(name)}
                onChange={(value) =>
                  setChoices({ ...choices, [name]: value === 'theirs' ? 'theirs' : 'yours' })
                }
              >
                <span className="conflict-name">{t(`fields.${name}`)}</span>
                <Side value="theirs" title={words('theirs')} text={theirs[name]} />
                <Side value="yours" title={words('yours')} text={yours[name]} />
              </RadioGroup>
            ))}
          </div>
        )}
        <div>
          <Button kind="primary" onPress={resolve}>
            {t('conflict.goOn')}
          </Button>
        </div>
      </div>
    </Note>
  );
}

function Side({ value, title, text }: { value: Choice; title: string; text: string }) {
  const words = useTranslations('common');
  return (
    <Radio value={value} className="conflict-side">
      <span className="soft">{title}</span>
      <span className="lines">{text === '' ? words('none') : text}</span>
    </Radio>
  );
}
