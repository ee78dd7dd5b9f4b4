import { TenantLink } from '../../navigation/index.ts';
import { Card, Facts } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import type { Person } from '../person.ts';

/** Attributes of extension schemas, under their SCIM names. */
export function OtherAttributes({ person }: { person: Person }) {
  const t = useTranslations('profile');
  const schemas = Object.entries(isRecord(person.extensions) ? person.extensions : {});
  const { managerId } = person.employment ?? {};
  return (
    <Card title={t('others')}>
      {schemas.length === 0 && <p className="soft">{t('noOthers')}</p>}
      {managerId && (
        <Facts
          facts={[
            [
              t('manager'),
              <TenantLink key="manager" path={`users/${managerId}`}>
                {managerId}
              </TenantLink>,
            ],
          ]}
        />
      )}
      {schemas.map(([urn, attributes]) => (
        <section key={urn} className="stack" aria-label={urn}>
          <code className="soft">{urn}</code>
          <Facts
            facts={Object.entries(isRecord(attributes) ? attributes : {}).map(([name, value]) => [
              name,
              typeof value === 'string' ? value : <code key={name}>{JSON.stringify(value)}</code>,
            ])}
          />
        </section>
      ))}
    </Card>
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
