import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { failureOf, type Problem } from '../../graph/index.ts';
import { useTranslations } from '../../words/index.ts';
import { AddToGroupDocument } from '../access/generated/access.ts';
import { OffboardPersonDocument } from '../departure/generated/departure.ts';
import { SignOutEverywhereDocument } from '../doors/generated/doors.ts';

export type BulkKind = 'deactivate' | 'group' | 'signOut';

/** Returns the function that processes one user and returns the message of a rejection. */
export function useBulkStep(
  kind: BulkKind,
  groupId: string | undefined,
): (id: string) => Promise<string | undefined> {
  const client = useApolloClient();
  const failures = useTranslations('failures');
  const change = async <Data, Variables extends OperationVariables & { input: object }>(
    document: TypedDocumentNode<Data, Variables>,
    input: Omit<Variables['input'], 'idempotencyKey'>,
  ): Promise<string | undefined> => {
    const variables = { input: { ...input, idempotencyKey: crypto.randomUUID() } };
    try {
      const { data, error } = await client.mutate({
        mutation: document as unknown as TypedDocumentNode<Record<string, { problems: Problem[] } | null>>,
        variables,
      });
      if (error) return sayFailure(error);
      return Object.values(data ?? {}).flatMap((payload) => payload?.problems ?? [])[0]?.message;
    } catch (error) {
      return sayFailure(error);
    }
  };
  const sayFailure = (error: unknown): string => {
    const failure = failureOf(error);
    if (failure.kind === 'forbidden') return failures('forbidden', { scopes: failure.scopes ?? '' });
    if (failure.kind === 'unavailable')
      return failures('unavailable', { services: failure.services.join(', ') });
    if (failure.kind === 'other') return failures('other', { message: failure.message });
    return failures(failure.kind);
  };
  return (id) => {
    if (kind === 'deactivate') return change(OffboardPersonDocument, { id });
    if (kind === 'signOut') return change(SignOutEverywhereDocument, { userId: id });
    return change(AddToGroupDocument, { groupId: groupId ?? '', memberIds: [id] });
  };
}
