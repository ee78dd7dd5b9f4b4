import { useState } from 'react';
import { useSession } from '../../session/index.ts';
import { Badge, Button, Dialog, type Found, Note } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { GroupPicker } from '../access/pickers.tsx';
import { Milliseconds } from '../departure/milliseconds-badge.tsx';
import { nameOf } from '../person.ts';
import type { PersonInList } from './columns.tsx';
import { type Outcome, useBulk } from './use-bulk.ts';
import { type BulkKind, useBulkStep } from './use-bulk-step.ts';

/** Lists the selected users, processes them one by one, and shows the result of each. */
export function BulkDialog({
  kind,
  people,
  onClose,
}: {
  kind: BulkKind;
  people: readonly PersonInList[];
  onClose(wasDone: boolean): void;
}) {
  const t = useTranslations('users.bulk');
  const words = useTranslations('common');
  const [group, setGroup] = useState<Found>();
  const step = useBulkStep(kind, group?.id);
  const { subject } = useSession();
  const others = kind === 'group' ? people : people.filter(({ id }) => id !== subject);
  const concerned = kind === 'deactivate' ? others.filter(({ active }) => active) : others;
  const bulk = useBulk(
    concerned.map(({ id }) => id),
    step,
  );
  const isBegun = bulk.isRunning || bulk.isOver;
  const isReady = concerned.length > 0 && (kind !== 'group' || group !== undefined);
  return (
    <Dialog
      title={t(`${kind}.title`, { count: concerned.length })}
      isOpen
      isAlert
      onClose={() => bulk.isRunning || onClose(bulk.isOver)}
    >
      <p>{t(`${kind}.lead`)}</p>
      {others.length < people.length && <Note>{t('withoutYou')}</Note>}
      {kind === 'group' && !isBegun && <GroupPicker label={t('group.field')} onChoose={setGroup} autoFocus />}
      {isBegun && <Progress outcomes={bulk.outcomes} count={concerned.length} />}
      <People people={concerned} outcomes={bulk.outcomes} />
      <div className="actions">
        {bulk.isRunning ? (
          <Button onPress={bulk.stop}>{t('stop')}</Button>
        ) : (
          <Button onPress={() => onClose(bulk.isOver)}>
            {bulk.isOver ? words('close') : words('cancel')}
          </Button>
        )}
        {!bulk.isOver && (
          <Button
            kind={kind === 'group' ? 'primary' : 'danger'}
            isPending={bulk.isRunning}
            isDisabled={!isReady}
            onPress={() => void bulk.run()}
          >
            {t(`${kind}.open`)}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

type Outcomes = ReadonlyMap<string, Outcome>;

function Progress({ outcomes, count }: { outcomes: Outcomes; count: number }) {
  const t = useTranslations('users.bulk');
  const states = [...outcomes.values()].map(({ state }) => state);
  const done = states.filter((state) => state === 'done').length;
  const failed = states.filter((state) => state === 'failed').length;
  return (
    <div role="status" className="stack">
      <progress value={done + failed} max={count} aria-label={t('progress')} />
      <span>{t('outcome', { done, failed, count })}</span>
    </div>
  );
}

function People({ people, outcomes }: { people: readonly PersonInList[]; outcomes: Outcomes }) {
  const t = useTranslations('users.bulk');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <ul className="rows bulk-list" tabIndex={0} aria-label={t('label')}>
      {people.map((person) => (
        <li key={person.id}>
          <span className="grow">
            {nameOf(person)} <span className="soft">{person.userName}</span>
          </span>
          <OutcomeOf outcome={outcomes.get(person.id)} />
        </li>
      ))}
    </ul>
  );
}

function OutcomeOf({ outcome }: { outcome: Outcome | undefined }) {
  const t = useTranslations('users.bulk.states');
  if (!outcome || outcome.state === 'waiting') return null;
  if (outcome.state === 'running') return <Badge>{t('running')}</Badge>;
  if (outcome.state === 'failed') return <span className="problem">{outcome.message}</span>;
  return (
    <>
      <Badge tone="good">{t('done')}</Badge> <Milliseconds value={outcome.milliseconds} />
    </>
  );
}
