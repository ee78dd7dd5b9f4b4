import { type ReactNode, useMemo } from 'react';
import {
  Table as AriaTable,
  Cell,
  Collection,
  Column,
  Row,
  type Selection,
  TableBody,
  TableHeader,
  TableLayout,
  TableLoadMoreItem,
  Virtualizer,
} from 'react-aria-components';
import { useTranslations } from '../words/index.ts';
import { Checkbox } from './fields.tsx';

export interface ColumnOf<T> {
  id: string;
  title: string;
  /** Pixels, or a share such as `1fr`. */
  width?: number | `${number}fr`;
  minWidth?: number;
  cell(item: T): ReactNode;
}

export interface TableProps<T extends { id: string }> {
  label: string;
  columns: readonly ColumnOf<T>[];
  items: readonly T[];
  /** Target of a row. */
  href?: ((item: T) => string) | undefined;
  /** Action of a row without a target. */
  onAction?: (id: string) => void;
  /** Requests the next page, if there is one. */
  onMore?: (() => void) | undefined;
  isLoading?: boolean;
  selected?: Selection;
  onSelect?: (selected: Selection) => void;
  empty: ReactNode;
}

const rowHeight = 40;

/** A virtual list of any length: only the visible rows are in the document. */
export function Table<T extends { id: string }>({
  label,
  columns,
  items,
  href,
  onAction,
  onMore,
  isLoading = false,
  selected,
  onSelect,
  empty,
}: TableProps<T>) {
  const t = useTranslations('common');
  const layoutOptions = useMemo(() => ({ rowHeight, headingHeight: 36 }), []);
  const isSelectable = onSelect !== undefined;
  if (items.length === 0 && !isLoading) return <div className="table-box">{empty}</div>;
  const height = Math.min(items.length + (onMore || isLoading ? 1 : 0), 18) * rowHeight + 38;
  return (
    <div className="table-box">
      <Virtualizer layout={TableLayout} layoutOptions={layoutOptions}>
        <AriaTable
          aria-label={label}
          className="table"
          style={{ height, overflow: 'auto', display: 'block' }}
          selectionMode={isSelectable ? 'multiple' : 'none'}
          {...(selected === undefined ? {} : { selectedKeys: selected })}
          {...(onSelect === undefined ? {} : { onSelectionChange: onSelect })}
          {...(onAction === undefined ? {} : { onRowAction: (key) => onAction(String(key)) })}
        >
          {headOf(columns, isSelectable)}
          <TableBody>
            <Collection items={items} dependencies={[columns, isSelectable]}>
              {(item) => rowOf(item, { columns, isSelectable, href })}
            </Collection>
            {(onMore !== undefined || isLoading) && (
              <TableLoadMoreItem
                isLoading={isLoading}
                {...(onMore === undefined ? {} : { onLoadMore: onMore })}
              >
                {t('loading')}
              </TableLoadMoreItem>
            )}
          </TableBody>
        </AriaTable>
      </Virtualizer>
    </div>
  );
}

function headOf<T>(columns: readonly ColumnOf<T>[], isSelectable: boolean) {
  return (
    <TableHeader>
      {isSelectable && (
        <Column id="selection" width={44} minWidth={44}>
          <Checkbox slot="selection" />
        </Column>
      )}
      {columns.map(({ id, title, width, minWidth }, index) => (
        <Column key={id} id={id} isRowHeader={index === 0} width={width ?? '1fr'} minWidth={minWidth ?? 110}>
          {title}
        </Column>
      ))}
    </TableHeader>
  );
}

function rowOf<T extends { id: string }>(
  item: T,
  {
    columns,
    isSelectable,
    href,
  }: {
    columns: readonly ColumnOf<T>[];
    isSelectable: boolean;
    href: TableProps<T>['href'];
  },
) {
  return (
    <Row id={item.id} {...(href === undefined ? {} : { href: href(item) })}>
      {isSelectable && (
        <Cell>
          <Checkbox slot="selection" />
        </Cell>
      )}
      {columns.map(({ id, cell }) => (
        <Cell key={id}>
          <span className="cell-text">{cell(item)}</span>
        </Cell>
      ))}
    </Row>
  );
}
