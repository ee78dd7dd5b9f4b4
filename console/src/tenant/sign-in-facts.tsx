import { Card, Facts } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { Duration } from './duration.tsx';
import type { TenantSettingsQuery } from './generated/tenant.ts';

type SignInSettings = NonNullable<NonNullable<TenantSettingsQuery['tenant']>['signInSettings']>;

const groups = {
  sessions: ['sessionIdleSeconds', 'sessionAbsoluteSeconds'],
  tokens: ['accessTokenSeconds', 'idTokenSeconds', 'refreshTokenIdleSeconds', 'refreshTokenAbsoluteSeconds'],
  others: ['invitationSeconds', 'securityLogRetentionSeconds'],
} as const;

/** Settings that are the same for all tenants of the installation. */
export function SignInFacts({ settings }: { settings: SignInSettings }) {
  const t = useTranslations('tenant.signIn');
  return (
    <>
      <p className="soft">{t('lead')}</p>
      {(['sessions', 'tokens', 'others'] as const).map((group) => (
        <Card key={group} title={t(`groups.${group}`)}>
          <Facts
            facts={[
              ...groups[group].map(
                (name) => [t(`names.${name}`), <Duration key={name} seconds={settings[name]} />] as const,
              ),
              ...(group === 'others'
                ? [
                    [
                      t('names.passwordMinLength'),
                      t('characters', { count: settings.passwordMinLength }),
                    ] as const,
                  ]
                : []),
            ]}
          />
        </Card>
      ))}
    </>
  );
}
