import type { EventType } from '@ostiary/events';
import { auditContext, type ChangeRecorder, type Changes } from '../../audit/index.ts';
import { attributesIn, type Origin, type StoredResource } from '../../resources/index.ts';
import { type MemberDelta, reportedMembers } from './memberships.ts';
import { groupSnapshot } from './snapshot.ts';

type GroupEvent = Extract<EventType, `group.${string}`>;

export interface MembersChanged {
  added: MemberDelta;
  removed: MemberDelta;
}

/** Records a change of a group, with the added and removed members. */
export function recordGroup(
  recorder: ChangeRecorder,
  tenant: string,
  type: GroupEvent,
  after: StoredResource,
  changed: MembersChanged,
  { actor, source }: Origin,
  attributes: Changes,
): void {
  const changes = { ...attributes, ...membersChange(changed) };
  recorder.record(
    {
      occurredAt: after.updatedAt,
      actor,
      action: type,
      resourceType: 'Group',
      resourceId: after.id,
      resourceVersion: after.version,
      ...(source !== undefined && { source }),
      changes,
      ...auditContext(),
    },
    {
      tenant,
      type,
      subject: after.id,
      version: after.version,
      actor,
      payload: {
        ...groupSnapshot(after, { source }),
        ...(changed.added.total > 0 && { membersAdded: changed.added.ids }),
        ...(changed.removed.total > 0 && { membersRemoved: changed.removed.ids }),
        ...(isTruncated(changed) && { membersTruncated: true as const }),
        ...(type !== 'group.deleted' && { changedAttributes: attributesIn(changes) }),
      },
    },
  );
}

const isTruncated = ({ added, removed }: MembersChanged): boolean =>
  added.total > reportedMembers || removed.total > reportedMembers;

function membersChange({ added, removed }: MembersChanged): Changes {
  if (added.total + removed.total === 0) return {};
  return {
    members: {
      ...(removed.total > 0 && { before: { removed: removed.ids, total: removed.total } }),
      ...(added.total > 0 && { after: { added: added.ids, total: added.total } }),
    },
  };
}
