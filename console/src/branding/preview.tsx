import { type CSSProperties, useId } from 'react';
import { useTranslations } from '../words/index.ts';
import { themeOf } from './brand-colours.ts';

export interface Look {
  name: string;
  colour: string | undefined;
  logo: string | undefined;
}

/** Preview of the sign-in page, drawn with its sizes and colours because the page itself cannot be framed. */
export function Preview({ look, scheme }: { look: Look; scheme: 'light' | 'dark' }) {
  const t = useTranslations('branding.preview');
  const id = useId();
  const { accent, strong, onAccent, wash } = themeOf(look.colour, scheme);
  const style = {
    '--p-accent': accent,
    '--p-strong': strong,
    '--p-on-accent': onAccent,
    '--p-wash': wash,
  } as CSSProperties;
  return (
    <figure className="preview" aria-labelledby={id}>
      <figcaption id={id}>{t(scheme)}</figcaption>
      {/* An illustration without interactive elements. */}
      <div className="sign-in-page" data-scheme={scheme} style={style} inert>
        <div className="sign-in-head">
          {look.logo === undefined ? <Doorway /> : <img src={look.logo} alt="" />}
          <span>{look.name}</span>
        </div>
        <div className="sign-in-card">
          <p className="sign-in-title">{t('title')}</p>
          <p className="sign-in-lead">
            {t('lead')} <strong>{t('app')}</strong>
          </p>
          <Field label={t('userName')} isFocused />
          <Field label={t('password')} />
          <span className="sign-in-button">{t('title')}</span>
          <span className="sign-in-button" data-quiet="">
            {t('cancel')}
          </span>
          <span className="sign-in-button" data-quiet="" data-apart="">
            {t('passkey')}
          </span>
          <span className="sign-in-link">{t('lost')}</span>
        </div>
        <p className="sign-in-foot">{t('foot')}</p>
      </div>
    </figure>
  );
}

const Field = ({ label, isFocused = false }: { label: string; isFocused?: boolean }) => (
  <span className="sign-in-field">
    {label}
    <span className="sign-in-input" {...(isFocused ? { 'data-focus': '' } : {})} />
  </span>
);

const Doorway = () => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.75"
    strokeLinejoin="round"
    aria-hidden="true"
  >
    <path d="M5 21V10a7 7 0 0 1 14 0v11" />
    <path d="M3 21h18" strokeLinecap="round" />
    <path d="M9 21v-9a3 3 0 0 1 6 0v9" />
    <circle cx="13.1" cy="16" r=".6" fill="currentColor" />
  </svg>
);
