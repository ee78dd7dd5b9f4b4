import { Badge, Card, Note, Time, type Tone } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { type Readiness, useReadiness } from './readiness.ts';
import './system.css';

const known = [
  'auth',
  'directory',
  'provisioning',
  'access',
  'redis',
  'revocations',
  'service-credential',
  'installation',
  'live',
  'supergraph',
  'startup',
  'supergraph-file',
] as const;

/** Dependencies of the gateway. Unavailable ones come first, with the impaired functions. */
export function ServicesCard() {
  const t = useTranslations('system');
  const { readiness, isUnknown, askedAt } = useReadiness();
  return (
    <Card
      title={t('services')}
      actions={
        askedAt !== undefined && (
          <span className="soft">
            {t('asked')} <Time at={askedAt} seconds />
          </span>
        )
      }
    >
      {isUnknown && <Note tone="warn">{t('readinessUnknown')}</Note>}
      {readiness && <Services readiness={readiness} />}
    </Card>
  );
}

const tones: Readonly<Record<Readiness['status'], Tone>> = {
  ready: 'good',
  degraded: 'warn',
  unavailable: 'bad',
};

function Services({ readiness: { status, draining, dependencies } }: { readiness: Readiness }) {
  const t = useTranslations('system');
  const all = Object.entries(dependencies).toSorted(
    ([, one], [, other]) => Number(one.status === 'up') - Number(other.status === 'up'),
  );
  return (
    <>
      <p role="status">
        <Badge tone={tones[status]}>{t(`statuses.${status}`)}</Badge> {draining && t('draining')}
      </p>
      <ul className="rows">
        {all.map(([name, { status: state, required, message, impairs }]) => (
          <li key={name}>
            <span className="grow">
              <code>{name}</code> <About name={name} />
              {state !== 'up' && (
                <>
                  <br />
                  {message} {impairs}
                </>
              )}
            </span>
            {required && <span className="soft">{t('required')}</span>}
            <Badge tone={state === 'up' ? 'good' : required ? 'bad' : 'warn'}>
              {state === 'up' ? t('up') : t('down')}
            </Badge>
          </li>
        ))}
      </ul>
      <p className="soft">{t('oneGateway')}</p>
    </>
  );
}

/** Purpose of a dependency; empty for one that this release does not know. */
function About({ name }: { name: string }) {
  const t = useTranslations('system.dependencies');
  const id = known.find((one) => one === name);
  return id === undefined ? null : <span className="soft">{t(id)}</span>;
}
