import { TenantLink } from '../navigation/index.ts';
import { Badge } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';

/** Owner of an object, as returned by the graph. */
export type Owner =
  | { __typename?: 'User'; id: string; userName: string; displayName: string | null; active: boolean }
  | { __typename?: 'Group'; id: string; groupName: string };

/** Name of the owner: a user, a group, or none. */
export function OwnerName({ owner, isLink = true }: { owner: Owner | null | undefined; isLink?: boolean }) {
  const t = useTranslations('owners');
  const words = useTranslations('common');
  if (!owner) return <Badge tone="warn">{t('nobody')}</Badge>;
  const name = 'userName' in owner ? (owner.displayName ?? owner.userName) : owner.groupName;
  const path = 'userName' in owner ? `users/${owner.id}` : `groups/${owner.id}`;
  return (
    <>
      {isLink ? <TenantLink path={path}>{name}</TenantLink> : name}
      {'userName' in owner && !owner.active && (
        <>
          {' '}
          <Badge tone="warn">{words('inactive')}</Badge>
        </>
      )}
    </>
  );
}
