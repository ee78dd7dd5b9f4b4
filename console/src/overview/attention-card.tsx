import { CircleAlert, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { type Failure, FailureNote } from '../graph/index.ts';
import { TenantLink } from '../navigation/index.ts';
import { Card, Note, Time } from '../ui/index.ts';
import { useTranslations } from '../words/index.ts';
import type { Attention } from './attention.ts';

const icons = { bad: CircleAlert, warn: TriangleAlert, note: Info };

/** Findings that need attention, most severe first, with links to the pages that resolve them. */
export function AttentionCard({
  items,
  isKnown,
  failures,
}: {
  items: readonly Attention[];
  /** Whether all queries have completed. */
  isKnown: boolean;
  failures: readonly Failure[];
}) {
  const t = useTranslations('overview.attention');
  const rank = ({ tone }: Attention) => (tone === 'bad' ? 0 : tone === 'warn' ? 1 : 2);
  const [failure] = failures;
  return (
    <Card title={t('title')}>
      <FailureNote failure={failure} />
      {items.length === 0 && isKnown && <Note tone="good">{t('nothing')}</Note>}
      {items.length > 0 && (
        <ul className="rows attention">
          {items
            .toSorted((one, other) => rank(one) - rank(other))
            .map((item) => (
              <Item key={item.id} item={item} />
            ))}
        </ul>
      )}
    </Card>
  );
}

function Item({ item }: { item: Attention }): ReactNode {
  const t = useTranslations('overview.attention');
  const { kind, tone, name, count, at, path, search } = item;
  const Icon = icons[tone ?? 'note'];
  const text =
    kind === 'ownerless' && count !== undefined
      ? t(`ownerlessOf.${name === 'clients' || name === 'accounts' ? name : 'keys'}`, { count })
      : t(`kinds.${kind}`, { name: name ?? '', count: count ?? 0 });
  return (
    <li data-tone={tone}>
      <Icon aria-label={t(`tones.${tone ?? 'note'}`)} role="img" />
      <span className="grow">
        <TenantLink path={path} {...(search ? { search } : {})}>
          {text}
        </TenantLink>
      </span>
      {at !== undefined && <Time at={at} relative />}
    </li>
  );
}
