import { useFormatter } from 'use-intl';
import { ScopeList } from '../../scopes/index.ts';
import { useTranslations } from '../../words/index.ts';
import { useGrantName } from '../grant-name.ts';
import type { Member, Value } from './metadata.ts';

/** Read-only value of one member of a registration. */
export function MemberValue({ member, value }: { member: Member; value: Value | undefined }) {
  const words = useTranslations('common');
  const t = useTranslations('applications');
  const format = useFormatter();
  const grantName = useGrantName();
  if (typeof value === 'boolean') return words(value ? 'yes' : 'no');
  if (value === null || value === undefined || value === '')
    return <span className="soft">{member.kind === 'choice' ? t('any') : words('none')}</span>;
  if (member.kind === 'scopes' && Array.isArray(value)) return <ScopeList scopes={value} />;
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="soft">{words('none')}</span>;
    return (
      <ul className="plain-list">
        {value.map((line) => (
          <li key={line}>{member.kind === 'grants' ? grantName(line) : <code>{line}</code>}</li>
        ))}
      </ul>
    );
  }
  if (typeof value === 'object' && 'subjectClients' in value)
    return (
      <>
        <code>{value.subjectClients.join(', ') || words('none')}</code>
        {value.impersonation && `, ${t('impersonation')}`}
        {value.agent && `, ${t('agent')} (${value.agentTokenLifetimeSeconds} s)`}
      </>
    );
  if (typeof value === 'number')
    return format.number(value, { style: 'unit', unit: 'second', unitDisplay: 'long' });
  if (member.kind === 'text' && member.name === 'name') return value;
  return <code>{member.kind === 'choice' ? wireName(String(value)) : String(value)}</code>;
}

/** Returns the spelling of the standards: `client_secret_basic`, `RS256`. */
export const wireName = (value: string): string =>
  value === 'EDDSA'
    ? 'EdDSA'
    : value === 'ED25519'
      ? 'Ed25519'
      : /^[A-Z]+\d+$/.test(value)
        ? value
        : value.toLowerCase();
