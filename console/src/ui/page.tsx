import { type ReactNode, useEffect } from 'react';
import { useTranslations } from '../words/index.ts';

/** A page, whose title is also the title of the document. */
export function Page({
  title,
  subtitle,
  actions,
  children,
}: {
  title: string;
  subtitle?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const t = useTranslations('common');
  useEffect(() => {
    document.title = `${title} · ${t('product')}`;
  }, [title, t]);
  return (
    <div className="page">
      <div className="page-head">
        <div>
          <h1>{title}</h1>
          {subtitle !== undefined && <div className="soft">{subtitle}</div>}
        </div>
        {actions !== undefined && <div className="actions">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

export const Card = ({
  title,
  actions,
  children,
  id,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
  id?: string;
}) => (
  <section className="card" {...(id === undefined ? {} : { id })}>
    <div className="card-head">
      <h2>{title}</h2>
      {actions !== undefined && <div className="actions">{actions}</div>}
    </div>
    {children}
  </section>
);

/** Names and values in the given order; absent values are omitted. */
export const Facts = ({ facts }: { facts: readonly (readonly [string, ReactNode | undefined])[] }) => (
  <dl className="facts">
    {facts
      .filter(([, value]) => value !== undefined && value !== null && value !== false && value !== '')
      .map(([name, value]) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
  </dl>
);
