import { type ReactNode, useState } from 'react';
import { CheckboxGroup, FieldError, Label, Text } from 'react-aria-components';
import { useSession } from '../session/index.ts';
import { Checkbox, validityOf } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import './scopes.css';
import { apiScopes, isConferred, personalScopes, wordOf } from './scopes.ts';

/** Scopes of an API of the organization. */
export interface OfferedApi {
  id: string;
  name: string;
  scopes: readonly { name: string; text: string | undefined }[];
}

interface PickerProps {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  value: readonly string[];
  onChange(scopes: string[]): void;
  /** Scopes to choose from, default all of the API of the tenant. */
  offered?: readonly string[];
  /** APIs of the organization with scopes to choose from. */
  apis?: readonly OfferedApi[];
}

/** Chooses scopes, with descriptions. Users can add only API scopes that they have, and remove any. */
export function ScopePicker({
  label,
  hint,
  problem,
  value,
  onChange,
  offered = apiScopes,
  apis = [],
}: PickerProps) {
  const t = useTranslations('scopes');
  const { scopes: own } = useSession();
  const ofApis = new Set(apis.flatMap(({ scopes }) => scopes.map(({ name }) => name)));
  // Registered scopes that are not offered are kept.
  const all = [...offered, ...value.filter((scope) => !offered.includes(scope) && !ofApis.has(scope))];
  const personal = all.filter((scope) => (personalScopes as readonly string[]).includes(scope));
  const others = all.filter((scope) => !personal.includes(scope));
  // Most clients that sign users in need no API scopes.
  const [isOpen] = useState(() => apiScopes.some((scope) => value.includes(scope)));
  const box = (scope: string) => {
    const word = wordOf(scope);
    const isBeyond = isConferred(scope) && !own.has(scope) && !value.includes(scope);
    return (
      <Checkbox key={scope} value={scope} isDisabled={isBeyond}>
        <span>
          <code>{scope}</code>
          <span className="checkbox-hint">{isBeyond ? t('beyond') : word && t(`words.${word}`)}</span>
        </span>
      </Checkbox>
    );
  };
  return (
    <CheckboxGroup className="field" value={[...value]} onChange={onChange} {...validityOf(problem)}>
      <Label>{label}</Label>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="problem">{problem}</FieldError>
      {personal.length > 0 && (
        <div className="scope-list">
          {others.length > 0 && <span className="scope-head">{t('personal')}</span>}
          {personal.map(box)}
        </div>
      )}
      <ScopesOfApis apis={apis} />
      {others.length > 0 && personal.length > 0 && (
        <details open={isOpen}>
          <summary>{t('api')}</summary>
          <div className="scope-list">{others.map(box)}</div>
        </details>
      )}
      {others.length > 0 && personal.length === 0 && <div className="scope-list">{others.map(box)}</div>}
    </CheckboxGroup>
  );
}

const ScopesOfApis = ({ apis }: { apis: readonly OfferedApi[] }) =>
  apis.map(({ id, name, scopes }) => (
    <div key={id} className="scope-list">
      <span className="scope-head">{name}</span>
      {scopes.map((scope) => (
        <Checkbox key={scope.name} value={scope.name}>
          <span>
            <code>{scope.name}</code>
            <span className="checkbox-hint">{scope.text}</span>
          </span>
        </Checkbox>
      ))}
    </div>
  ));

/** Read-only list of scopes. */
export function ScopeList({ scopes }: { scopes: readonly string[] }) {
  const t = useTranslations('scopes');
  const words = useTranslations('common');
  if (scopes.length === 0) return <span className="soft">{words('none')}</span>;
  return (
    <span className="scope-chips">
      {scopes.map((scope) => {
        const word = wordOf(scope);
        return (
          <code key={scope} className="chip" {...(word ? { title: t(`words.${word}`) } : {})}>
            {scope}
          </code>
        );
      })}
    </span>
  );
}
