import type { DomainEvent } from './contracts.ts';

/**
 * Splits events into rounds without two events of the same subject, for set-based statements. A subject's
 * events are in the order of versions, one per round; most batches are one round.
 */
export function inRounds<E extends DomainEvent>(events: readonly E[]): E[][] {
  const bySubject = Map.groupBy(events, ({ tenant, subject }) => `${tenant} ${subject}`);
  const rounds: E[][] = [];
  for (const its of bySubject.values()) {
    its.sort((a, b) => a.version - b.version);
    for (const [i, event] of its.entries()) {
      const round = rounds[i];
      if (round) round.push(event);
      else rounds.push([event]);
    }
  }
  return rounds;
}
