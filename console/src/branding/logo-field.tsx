import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { Button } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { type LogoProblem, readLogo } from './logo-file.ts';

export type ChosenLogo = { kind: 'same' } | { kind: 'none' } | { kind: 'new'; url: string };

/** Keeps, replaces or removes the logo. Files that the server would reject are not sent. */
export function LogoField({
  now,
  value,
  onChange,
  problem,
}: {
  now: string | undefined;
  value: ChosenLogo;
  onChange(value: ChosenLogo): void;
  problem: string | undefined;
}) {
  const t = useTranslations('branding');
  const [found, setFound] = useState<LogoProblem>();
  const shown = value.kind === 'new' ? value.url : value.kind === 'none' ? undefined : now;
  const take = async (files: FileList | null) => {
    const file = files?.[0];
    if (!file) return;
    const logo = await readLogo(file);
    if ('problem' in logo) return setFound(logo.problem);
    setFound(undefined);
    onChange({ kind: 'new', url: logo.url });
  };
  const message = found === undefined ? problem : t(`logoProblems.${found}`);
  return (
    <fieldset className="field logo-field">
      <legend className="label">{t('logo')}</legend>
      <div className="logo-now">
        {shown === undefined ? (
          <span className="soft">{t('noLogo')}</span>
        ) : (
          <img src={shown} alt={t('logo')} />
        )}
        <FileTrigger
          acceptedFileTypes={['image/png', 'image/jpeg', 'image/webp']}
          onSelect={(files) => void take(files)}
        >
          <Button>{t('chooseLogo')}</Button>
        </FileTrigger>
        {shown !== undefined && (
          <Button
            kind="plain"
            onPress={() => {
              setFound(undefined);
              onChange(now === undefined ? { kind: 'same' } : { kind: 'none' });
            }}
          >
            {t('removeLogo')}
          </Button>
        )}
      </div>
      <span className="hint">{t('logoHint')}</span>
      {message !== undefined && (
        <span className="problem" role="alert">
          {message}
        </span>
      )}
    </fieldset>
  );
}
