import { CheckboxGroup, Label, Text } from 'react-aria-components';
import { useScopesOfApis } from '../../apis/parts.ts';
import { FailureNote } from '../../graph/index.ts';
import { apiScopes, personalScopes, ScopePicker } from '../../scopes/index.ts';
import { Checkbox, LinesField, Select, TextField } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { useGrantName } from '../grant-name.ts';
import { wireName } from './member-value.tsx';
import { type Member, offeredGrants, type Value } from './metadata.ts';

interface FieldProps {
  member: Member;
  value: Value | undefined;
  onChange(value: Value): void;
  problem: string | undefined;
}

const scopesOffered = [...personalScopes, ...apiScopes];
const anyKey = 'any';

/** Input field of one member of a registration. */
export function MemberField({ member, value, onChange, problem }: FieldProps) {
  const t = useTranslations('applications');
  const label = t(`members.${member.name}.label`);
  const hint = t(`members.${member.name}.hint`);
  const common = { label, hint, problem };
  const lines = Array.isArray(value) ? value : [];
  switch (member.kind) {
    case 'boolean':
      return (
        <Checkbox isSelected={value === true} onChange={onChange}>
          <span>
            {label}
            <span className="checkbox-hint">{hint}</span>
            {problem !== undefined && <span className="problem-text">{problem}</span>}
          </span>
        </Checkbox>
      );
    case 'lines':
      return <LinesField {...common} value={lines} onChange={(next) => onChange([...next])} />;
    case 'scopes':
      return <ScopesField {...common} name={member.name} value={lines} onChange={onChange} />;
    case 'grants':
      return <GrantsField {...common} value={lines} onChange={onChange} />;
    case 'exchange':
      return <ExchangeField value={value} onChange={onChange} problem={problem} />;
    case 'choice':
      return (
        <Select
          {...common}
          options={[
            ...(member.isOptional ? [{ id: anyKey, label: t('any') }] : []),
            ...member.options.map((id) => ({ id, label: wireName(id) })),
          ]}
          value={typeof value === 'string' ? value : anyKey}
          onChange={(key) => onChange(key === anyKey ? null : (key as Value))}
        />
      );
    case 'seconds':
      return (
        <TextField
          {...common}
          inputMode="numeric"
          value={typeof value === 'number' ? String(value) : ''}
          onChange={(text) => onChange(/^\d+$/.test(text) ? Number(text) : null)}
        />
      );
    default:
      return (
        <TextField
          {...common}
          {...(member.kind === 'json' ? { rows: 5 } : {})}
          isRequired={member.name === 'name'}
          value={typeof value === 'string' ? value : ''}
          onChange={onChange}
        />
      );
  }
}

/** The scopes for users, or those of APIs that the app requests for itself. */
function ScopesField({
  name,
  ...field
}: {
  name: Member['name'];
  label: string;
  hint: string;
  problem: string | undefined;
  value: readonly string[];
  onChange(value: string[]): void;
}) {
  const t = useTranslations('apis.scopes');
  const { apis, failure } = useScopesOfApis();
  return (
    <>
      <FailureNote failure={failure} />
      <ScopePicker {...field} offered={name === 'scopes' ? scopesOffered : []} apis={apis} />
      {name === 'ownScopes' && apis.length === 0 && <p className="soft">{t('empty')}</p>}
    </>
  );
}

function GrantsField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint: string;
  value: readonly string[];
  onChange(value: string[]): void;
}) {
  const grantName = useGrantName();
  return (
    <CheckboxGroup className="field" value={[...value]} onChange={onChange}>
      <Label>{label}</Label>
      <Text slot="description" className="hint">
        {hint}
      </Text>
      {offeredGrants(value).map((grant) => (
        <Checkbox key={grant} value={grant}>
          {grantName(grant)}
        </Checkbox>
      ))}
    </CheckboxGroup>
  );
}

/** Clients whose tokens may be exchanged; none by default. */
function ExchangeField({ value, onChange, problem }: Omit<FieldProps, 'member'>) {
  const t = useTranslations('applications');
  const policy =
    typeof value === 'object' && value !== null && 'subjectClients' in value
      ? value
      : { subjectClients: [], impersonation: false, agent: false, agentTokenLifetimeSeconds: null };
  const change = (next: typeof policy) => onChange(next.subjectClients.length === 0 ? null : next);
  return (
    <>
      <LinesField
        label={t('members.tokenExchange.label')}
        hint={t('members.tokenExchange.hint')}
        problem={problem}
        value={policy.subjectClients}
        onChange={(subjectClients) => change({ ...policy, subjectClients: [...subjectClients] })}
      />
      <Checkbox
        isSelected={policy.impersonation}
        isDisabled={policy.subjectClients.length === 0 || policy.agent}
        onChange={(impersonation) => change({ ...policy, impersonation })}
      >
        <span>
          {t('impersonation')}
          <span className="checkbox-hint">{t('impersonationHint')}</span>
        </span>
      </Checkbox>
      <Checkbox
        isSelected={policy.agent}
        isDisabled={policy.subjectClients.length === 0 || policy.impersonation}
        onChange={(agent) => change({ ...policy, agent })}
      >
        <span>
          {t('agent')}
          <span className="checkbox-hint">{t('agentHint')}</span>
        </span>
      </Checkbox>
      {policy.agent && (
        <TextField
          label={t('agentLifetime')}
          hint={t('agentLifetimeHint')}
          inputMode="numeric"
          value={policy.agentTokenLifetimeSeconds === null ? '' : String(policy.agentTokenLifetimeSeconds)}
          onChange={(text) =>
            change({ ...policy, agentTokenLifetimeSeconds: /^\d{1,6}$/.test(text) ? Number(text) : null })
          }
        />
      )}
    </>
  );
}
