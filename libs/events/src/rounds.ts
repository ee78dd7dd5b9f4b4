import type { DomainEvent } from './contracts.ts';

/**
 * Splits events into rounds, none of which has two of the same subject: what a set-based statement can take at once.
 * A subject's events come in the order of their versions, one a round; most batches are one round.
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
