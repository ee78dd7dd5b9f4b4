import { Check, Circle } from 'lucide-react';
import { TenantLink } from '../navigation/index.ts';
import { useTranslations } from '../words/index.ts';

const steps = ['people', 'app', 'tell', 'leave'] as const;
type Step = (typeof steps)[number];
const paths: Readonly<Record<Step, string>> = {
  people: 'sources/new',
  app: 'applications/new',
  tell: 'webhooks',
  leave: 'users',
};

/** Introduction and first steps, shown while the tenant has little content. */
export function FirstSteps({ done }: { done: Readonly<Record<Step, boolean>> }) {
  const t = useTranslations('overview.first');
  const words = useTranslations('overview');
  return (
    <section className="card first-steps">
      <h2>{t('title')}</h2>
      <p>{t('lead')}</p>
      <ol>
        {steps.map((step) => (
          <li key={step} data-done={done[step] || undefined}>
            {done[step] ? (
              <Check role="img" aria-label={words('done')} />
            ) : (
              <Circle role="img" aria-label={words('open')} />
            )}
            <div>
              <TenantLink path={paths[step]}>{t(`steps.${step}`)}</TenantLink>
              <br />
              <span className="soft">{t(`hints.${step}`)}</span>
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
