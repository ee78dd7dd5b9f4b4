import { TenantLink } from '../../navigation/index.ts';
import { Part, Time } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import type { OriginProps } from '../doors/use-doors.ts';

/** Identity sources of a user, with the external ids. */
export function OriginPart({ origin, isLoading, failure }: OriginProps) {
  const t = useTranslations('access.origin');
  const sources = origin?.user?.provisioning ?? [];
  return (
    <Part
      title={t('title')}
      scopes={['provisioning:read']}
      isLoading={isLoading}
      isMissing={!origin?.user?.provisioning && failure !== undefined}
      isEmpty={sources.length === 0}
      empty={t('empty')}
    >
      {sources.length > 0 && (
        <ul className="rows">
          {sources.map(({ source, externalId, lastChangedAt }) => (
            <li key={source.sourceId}>
              <div className="grow">
                <div className="row-title">
                  <TenantLink path={`sources/${source.sourceId}`}>{source.name}</TenantLink>
                </div>
                <div className="soft row-facts">
                  {externalId !== null && (
                    <span>{t.rich('externalId', { id: () => <code>{externalId}</code> })}</span>
                  )}
                  <span>
                    {lastChangedAt === null
                      ? t('neverChanged')
                      : t.rich('changed', { time: () => <Time at={lastChangedAt} relative /> })}
                  </span>
                </div>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Part>
  );
}
