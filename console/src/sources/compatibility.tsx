import { FailureNote, otherProblem } from '../graph/index.ts';
import { useMay } from '../session/index.ts';
import { Badge, Card, Note, Select } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { ConnectorProfile, ConnectorQuirkName } from './generated/sources.ts';
import { useSaveSource } from './save-source.tsx';
import type { SourceSettings } from './source.ts';

export const profiles: readonly ConnectorProfile[] = ['AUTO', 'ENTRA', 'OKTA', 'ONELOGIN', 'RFC'];

/** Accepted deviations from SCIM. */
export function Compatibility({ source, onReread }: { source: SourceSettings; onReread(): void }) {
  const t = useTranslations('sources.compatibility');
  const names = useTranslations('sources.profiles');
  const may = useMay('connectors:write');
  const { save, change, conflict } = useSaveSource(source, onReread);
  const say = (quirk: ConnectorQuirkName, choice: string) => {
    const others = source.quirks.filter(({ overridden, quirk: name }) => overridden && name !== quirk);
    const said = choice === 'profile' ? [] : [{ quirk, enabled: choice === 'on' }];
    void save({ quirks: [...others.map(({ quirk: name, enabled }) => ({ quirk: name, enabled })), ...said] });
  };
  return (
    <Card title={t('title')}>
      <p className="soft">{t('lead')}</p>
      <FailureNote failure={change.failure} />
      {otherProblem(change.problems) !== undefined && <Note tone="bad">{otherProblem(change.problems)}</Note>}
      <Select
        label={t('profile')}
        hint={t(`profileHints.${source.profile}`)}
        options={profiles.map((id) => ({ id, label: names(id) }))}
        value={source.profile}
        isDisabled={!may || change.isBusy}
        onChange={(value) => {
          const profile = profiles.find((one) => one === value);
          if (profile && profile !== source.profile) void save({ profile });
        }}
      />
      <ul className="rows">
        {source.quirks.map(({ quirk, enabled, overridden }) => (
          <li key={quirk}>
            <span className="grow">
              {t(`quirks.${quirk}`)}{' '}
              <Badge tone={enabled ? 'good' : undefined}>{enabled ? t('understood') : t('refused')}</Badge>
            </span>
            <Select
              aria-label={t(`quirks.${quirk}`)}
              label=""
              options={[
                { id: 'profile', label: t('asProfile') },
                { id: 'on', label: t('on') },
                { id: 'off', label: t('off') },
              ]}
              value={overridden ? (enabled ? 'on' : 'off') : 'profile'}
              isDisabled={!may || change.isBusy}
              onChange={(value) => say(quirk, String(value))}
            />
          </li>
        ))}
      </ul>
      {conflict}
    </Card>
  );
}
