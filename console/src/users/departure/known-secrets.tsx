import { OwnerName } from '../../owners/index.ts';
import { Badge } from '../../ui/index.ts';
import { useFormatter, useTranslations } from '../../words/index.ts';
import { SecretName } from '../doors/secret-name.tsx';
import type { Departure } from './departure.ts';

type Secret = Departure['secrets'][number];

/** Secrets that the user knew, with the owners to notify; those that are still valid come first. */
export function KnownSecrets({ departure: { secrets, userId } }: { departure: Departure }) {
  const t = useTranslations('departure.secrets');
  const kinds = useTranslations('doors.known.kinds');
  if (secrets.length === 0) return <p className="soft">{t('empty')}</p>;
  const ordered = secrets.toSorted((a, b) => Number(a.ended) - Number(b.ended));
  return (
    <>
      <p className="soft">{t('lead')}</p>
      <ul className="rows">
        {ordered.map((secret) => (
          <li key={`${secret.kind}/${secret.secretId}`}>
            <div className="grow">
              <div className="row-title">
                <SecretName {...secret} />
              </div>
              <div className="soft row-facts">
                <span>{kinds(secret.kind)}</span>
                {secret.owner?.id === userId ? (
                  <span>{t('own')}</span>
                ) : (
                  <span>
                    {secret.owner && t('notify')} <OwnerName owner={secret.owner} />
                  </span>
                )}
              </div>
            </div>
            <End {...secret} />
          </li>
        ))}
      </ul>
    </>
  );
}

/** When the secret ended or will end. */
function End({ ended, endsAt }: Secret) {
  const t = useTranslations('departure.secrets');
  const format = useFormatter();
  if (ended) return <Badge tone="good">{t('revoked')}</Badge>;
  if (endsAt === null) return <Badge tone="warn">{t('transferred')}</Badge>;
  const time = format.dateTime(new Date(endsAt), { dateStyle: 'medium', timeStyle: 'short' });
  return <Badge tone="warn">{t('until', { time })}</Badge>;
}
