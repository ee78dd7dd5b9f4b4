import { useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { FailureNote, failureOf } from '../../graph/index.ts';
import { useMay } from '../../session/index.ts';
import { Empty, Note, Select } from '../../ui/index.ts';
import { useFormatter, useTranslations } from '../../words/index.ts';
import { isUnderWay } from './departure.ts';
import { DepartureReport } from './departure-report.tsx';
import { DeparturesOfPersonDocument } from './generated/departure.ts';

/** Reports of all offboardings of a user, updated while one is in progress. */
export function OffboardingsTab({
  id,
  name,
  awaited,
}: {
  id: string;
  name: string;
  /** Version of the user after the offboarding that was just started. */
  awaited?: number | undefined;
}) {
  const t = useTranslations('departure');
  const format = useFormatter();
  const words = useTranslations('common');
  const may = useMay('audit:read');
  const { departures, isWaiting, isLoading, failure, refetch } = useOffboardings(id, awaited, may);
  const [chosen, setChosen] = useState<string>();
  const shown = departures.find(({ securityEventId }) => securityEventId === chosen) ?? departures[0];
  if (!may) return <p className="soft">{words('needs', { scopes: 'audit:read' })}</p>;
  return (
    <div className="stack">
      <FailureNote failure={failure} onRetry={refetch} />
      {isWaiting && <Note>{t('waiting')}</Note>}
      {!isWaiting && !isLoading && departures.length === 0 && !failure && (
        <Empty title={t('empty')}>{t('emptyHint', { name })}</Empty>
      )}
      {departures.length > 1 && shown && (
        <Select
          label={t('which')}
          options={departures.map(({ securityEventId, closedAt }) => ({
            id: securityEventId,
            label: format.dateTime(new Date(closedAt), { dateStyle: 'medium', timeStyle: 'medium' }),
          }))}
          value={shown.securityEventId}
          onChange={(value) => setChosen(String(value))}
        />
      )}
      {shown && !isWaiting && <DepartureReport departure={shown} name={name} />}
    </div>
  );
}

/** Polls at short intervals during an offboarding, and less often the longer it takes. */
function useOffboardings(userId: string, awaited: number | undefined, may: boolean) {
  const [since] = useState(() => Date.now());
  const [pollInterval, setPollInterval] = useState(0);
  const { data, loading, error, refetch } = useQuery(DeparturesOfPersonDocument, {
    variables: { userId },
    skip: !may,
    pollInterval,
  });
  const departures = data?.departures ?? [];
  const [newest] = departures;
  const isWaiting =
    awaited !== undefined && !departures.some(({ directoryVersion }) => Number(directoryVersion) >= awaited);
  const isOpen = isWaiting || (newest !== undefined && isUnderWay(newest));
  // biome-ignore lint/correctness/useExhaustiveDependencies: evaluated again after each response
  useEffect(() => {
    const elapsed = Date.now() - since;
    setPollInterval(!isOpen ? 0 : elapsed < 10_000 ? 250 : elapsed < 60_000 ? 1500 : 10_000);
  }, [isOpen, data, since]);
  return {
    departures,
    isWaiting,
    isLoading: loading && !data,
    failure: error && failureOf(error),
    refetch: () => void refetch(),
  };
}
