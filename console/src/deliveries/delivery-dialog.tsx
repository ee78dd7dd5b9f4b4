import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { FailureNote, failureOf, otherProblem, useChange } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Action, Badge, Button, Copyable, Dialog, Facts, Note, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import { stateTone } from './delivery-state.ts';
import {
  DeliveryByIdDocument,
  type DeliveryFactsFragment,
  DiscardDeliveryDocument,
  ReplayDeliveryDocument,
} from './generated/deliveries.ts';
import { useReceiverNames } from './receiver-names.ts';

const receiverPath = ({ receiverKind, receiverId }: DeliveryFactsFragment): string =>
  `${{ WEBHOOK: 'webhooks', SSF: 'signals', BACKCHANNEL_LOGOUT: 'applications' }[receiverKind]}/${receiverId}`;

/** One message to one receiver, with its attempts and actions. */
export function DeliveryDialog({
  id,
  onChanged,
  onClose,
}: {
  id: string;
  onChanged(): void;
  onClose(): void;
}) {
  const t = useTranslations('deliveries');
  const { data, error, loading } = useQuery(DeliveryByIdDocument, { variables: { id }, pollInterval: 2000 });
  const delivery = data?.delivery;
  return (
    <Dialog title={delivery?.type ?? t('one')} isOpen onClose={onClose} size="wide">
      <FailureNote failure={error && failureOf(error)} />
      {!delivery && !loading && !error && <Note tone="warn">{t('gone')}</Note>}
      {delivery && (
        <>
          <DeliveryFacts delivery={delivery} />
          <DeliveryActions delivery={delivery} onChanged={onChanged} onGone={onClose} />
        </>
      )}
    </Dialog>
  );
}

function DeliveryFacts({ delivery }: { delivery: DeliveryFactsFragment }) {
  const t = useTranslations('deliveries');
  const { names } = useReceiverNames();
  const { state, user, subjectId, subjectKind, nextAttemptAt, finishedAt } = delivery;
  return (
    <Facts
      facts={[
        [
          t('state'),
          <span key="state">
            <Badge tone={stateTone(state)}>{t(`states.${state}`)}</Badge> {t(`stateHints.${state}`)}
          </span>,
        ],
        [
          t('receiver'),
          <TenantLink key="receiver" path={receiverPath(delivery)}>
            {names.get(delivery.receiverId) ?? delivery.receiverId}
          </TenantLink>,
        ],
        [t('kind'), t(`kinds.${delivery.receiverKind}`)],
        [
          t('about'),
          user ? (
            <TenantLink key="user" path={`users/${user.id}`}>
              {user.displayName ?? user.userName}
            </TenantLink>
          ) : subjectKind === 'GROUP' ? (
            <TenantLink key="group" path={`groups/${subjectId}`}>
              {subjectId}
            </TenantLink>
          ) : (
            (subjectId ?? undefined)
          ),
        ],
        [t('attempts'), t('attemptCount', { count: delivery.attempts })],
        [t('lastStatus'), delivery.lastStatus ?? undefined],
        [t('lastError'), delivery.lastError ?? undefined],
        [t('created'), <Time key="created" at={delivery.createdAt} />],
        [t('next'), nextAttemptAt === null ? undefined : <Time key="next" at={nextAttemptAt} relative />],
        [t('finished'), finishedAt === null ? undefined : <Time key="finished" at={finishedAt} />],
        [t('id'), <Copyable key="id" value={delivery.id} />],
      ]}
    />
  );
}

function DeliveryActions({
  delivery: { id, state },
  onChanged,
  onGone,
}: {
  delivery: DeliveryFactsFragment;
  onChanged(): void;
  onGone(): void;
}) {
  const t = useTranslations('deliveries');
  const replay = useChange(ReplayDeliveryDocument);
  const discard = useChange(DiscardDeliveryDocument);
  const [isSure, setSure] = useState(false);
  const problem = otherProblem([...replay.problems, ...discard.problems]);
  const canReplay = state === 'DEAD' || state === 'DELIVERED';
  const canDiscard = state !== 'DELIVERED';
  return (
    <>
      {problem !== undefined && <Note tone="bad">{problem}</Note>}
      <FailureNote failure={replay.failure ?? discard.failure} />
      {isSure && <Note tone="warn">{t('discardHint')}</Note>}
      <div className="actions">
        {canDiscard &&
          (isSure ? (
            <>
              <Button onPress={() => setSure(false)}>{t('keep')}</Button>
              <Button
                kind="danger"
                isPending={discard.isBusy}
                onPress={() =>
                  void discard.run({ id }).then((done) => {
                    if (!done) return;
                    onChanged();
                    onGone();
                  })
                }
              >
                {t('discardNow')}
              </Button>
            </>
          ) : (
            <Action scopes={['webhooks:write']} kind="danger" onPress={() => setSure(true)}>
              {t('discard')}
            </Action>
          ))}
        {canReplay && !isSure && (
          <Action
            scopes={['webhooks:write']}
            kind="primary"
            isPending={replay.isBusy}
            onPress={() => void replay.run({ id }).then((done) => done && onChanged())}
          >
            {t('replay')}
          </Action>
        )}
      </div>
    </>
  );
}
