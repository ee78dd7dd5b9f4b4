import { useTranslations } from '../../words/index.ts';

interface Actor {
  kind: 'CLIENT' | 'CONNECTOR' | 'SERVICE' | 'SYSTEM' | 'USER';
  actorId: string;
  name: string | null;
  user?: { userName: string; displayName: string | null } | null;
}

/** Who did something: by name where they have one, by what they are where not. */
export function ActorName({ actor: { kind, name, actorId, user } }: { actor: Actor }) {
  const t = useTranslations('actors');
  const known = user ? (user.displayName ?? user.userName) : name;
  return (
    <span title={actorId}>
      {known ?? t(kind)} {known !== null && kind !== 'USER' && <span className="soft">{t(kind)}</span>}
    </span>
  );
}
