import { useNavigate, useSearch } from '@tanstack/react-router';
import { Select } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Api } from './api.ts';
import { EntriesTab } from './entries-tab.tsx';
import { RoleHolders } from './role-holders.tsx';

/** Roles of an API, and the users and groups with the chosen one. */
export function RolesTab({ api }: { api: Api }) {
  const t = useTranslations('apis.roles');
  const { role } = useSearch({ from: '/t/$tenant/apis/$id' });
  const navigate = useNavigate({ from: '/t/$tenant/apis/$id' });
  const shown = api.roles.find(({ name }) => name === role) ?? api.roles[0];
  return (
    <div className="stack">
      <EntriesTab api={api} kind="roles" linkOf={() => undefined} />
      {shown && (
        <>
          <Select
            label={t('holdersOf')}
            options={api.roles.map(({ name }) => ({ id: name, label: name }))}
            value={shown.name}
            onChange={(key) =>
              void navigate({ search: (before) => ({ ...before, role: String(key) }), replace: true })
            }
          />
          <RoleHolders apiId={api.id} role={shown.name} />
          <p className="soft">{t('assignHint')}</p>
        </>
      )}
    </div>
  );
}
