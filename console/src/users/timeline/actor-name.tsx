import { useTranslations } from '../../words/index.ts';

interface Actor {
  kind: 'CLIENT' | 'CONNECTOR' | 'SERVICE' | 'SYSTEM' | 'USER';
  actorId: string;
  name: string | null;
  user?: { userName: string; displayName: string | null } | null;
}

/** Name of an actor, or its kind if it has no name. */
export function ActorName({ actor: { kind, name, actorId, user } }: { actor: Actor }) {
  const t = useTranslations('actors');
  const known = user ? (user.displayName ?? user.userName) : name;
  return (
    <span title={actorId}>
      {known ?? t(kind)} {known !== null && kind !== 'USER' && <span className="soft">{t(kind)}</span>}
    </span>
  );
}
