import { useState } from 'react';
import { Form } from 'react-aria-components';
import { base } from '../session/index.ts';
import { Button, TextField } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { useStarted } from './configuration-context.tsx';
import { Welcome } from './welcome.tsx';

/** Asks for the tenant. Unauthenticated users get no list of tenants. */
export function TenantChooser() {
  const t = useTranslations('start');
  const { configuration } = useStarted();
  const [tenant, setTenant] = useState('');
  const go = (to: string) => location.assign(`${base}t/${encodeURIComponent(to)}`);
  return (
    <Welcome>
      <h1>{t('title')}</h1>
      <p className="soft">{t('lead')}</p>
      {configuration.demoTenants.length > 0 && (
        <div className="actions">
          {configuration.demoTenants.map((one) => (
            <Button key={one} kind="primary" onPress={() => go(one)}>
              {one}
            </Button>
          ))}
        </div>
      )}
      <Form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (tenant.trim() !== '') go(tenant.trim());
        }}
      >
        <TextField
          label={t('tenant')}
          hint={t('tenantHint')}
          value={tenant}
          onChange={setTenant}
          isRequired
          autoComplete="organization"
        />
        <Button type="submit" kind="primary">
          {t('signIn')}
        </Button>
      </Form>
    </Welcome>
  );
}
