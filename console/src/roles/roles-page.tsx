import './roles.css';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { Page, Tabs } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { RoleHolders } from './role-holders.tsx';
import { type RoleName, roles, scopesByRole } from './role-scopes.ts';

export function RolesPage() {
  const t = useTranslations('roles');
  const { role = 'TENANT_ADMIN' } = useSearch({ from: '/t/$tenant/roles' });
  const navigate = useNavigate({ from: '/t/$tenant/roles' });
  return (
    <Page title={t('title')} subtitle={t('lead')}>
      <Tabs<RoleName>
        label={t('title')}
        selected={role}
        onSelect={(to) => void navigate({ search: { role: to === 'TENANT_ADMIN' ? undefined : to } })}
        tabs={roles.map((id) => ({ id, title: t(`names.${id}`), content: <RolePanel role={id} /> }))}
      />
    </Page>
  );
}

function RolePanel({ role }: { role: RoleName }) {
  const t = useTranslations('roles');
  const held = new Set(scopesByRole[role]);
  return (
    <div className="stack">
      <p>{t(`explanations.${role}`)}</p>
      <RoleHolders role={role} />
      <section className="card">
        <h2>{t('scopes')}</h2>
        <p className="soft">{t('scopesHint')}</p>
        <ul className="role-scopes">
          {scopesByRole.TENANT_ADMIN.map((scope) => (
            <li key={scope} {...(held.has(scope) ? {} : { className: 'soft' })}>
              <span className="tick">{held.has(scope) && <Check aria-hidden size="1em" />}</span>
              <code>{scope}</code>
              {!held.has(scope) && <span className="visually-hidden">{t('notHeld')}</span>}
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}
