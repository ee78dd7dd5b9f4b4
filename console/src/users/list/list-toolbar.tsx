import { Filter, X } from 'lucide-react';
import { useState } from 'react';
import { Button, SearchField, Select } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { ColumnChooser } from './column-chooser.tsx';
import { columnsIn, columnsText } from './columns.tsx';
import { FilterDialog } from './filter-dialog.tsx';
import type { ListSearch } from './list-search.ts';
import { orderIn, orders } from './query.ts';
import { ViewsMenu } from './views-menu.tsx';

/** Filters, order and columns of the list; all are in the address. */
export function ListToolbar({
  search,
  onChange,
  onView,
}: {
  search: ListSearch;
  onChange(to: { [Name in keyof ListSearch]?: ListSearch[Name] | undefined }): void;
  onView(view: ListSearch): void;
}) {
  const t = useTranslations('users');
  const [isFiltering, setFiltering] = useState(false);
  const { q = '', filter = '', active, columns = '', order } = search;
  return (
    <>
      <div className="toolbar quiet-labels">
        <SearchField label={t('search')} value={q} onChange={(value) => onChange({ q: value })} />
        <Select
          label={t('state')}
          options={[
            { id: 'all', label: t('states.all') },
            { id: 'yes', label: t('states.active') },
            { id: 'no', label: t('states.inactive') },
          ]}
          value={active ?? 'all'}
          onChange={(value) => onChange({ active: value === 'yes' || value === 'no' ? value : undefined })}
        />
        <Select
          label={t('order')}
          options={orders.map((one) => ({ id: one, label: t(`orders.${one}`) }))}
          value={orderIn(order)}
          onChange={(value) => onChange({ order: value === 'userName' ? undefined : String(value) })}
        />
        <Button onPress={() => setFiltering(true)}>
          <Filter aria-hidden /> {t('filter.open')}
        </Button>
        <ColumnChooser
          shown={columnsIn(columns)}
          onChange={(shown) => onChange({ columns: columnsText(shown) })}
        />
        <ViewsMenu search={search} onChoose={onView} />
      </div>
      {filter !== '' && (
        <FilterShown
          filter={filter}
          onEdit={() => setFiltering(true)}
          onClear={() => onChange({ filter: undefined })}
        />
      )}
      {isFiltering && (
        <FilterDialog
          filter={filter}
          onApply={(to) => onChange({ filter: to })}
          onClose={() => setFiltering(false)}
        />
      )}
    </>
  );
}

function FilterShown({ filter, onEdit, onClear }: { filter: string; onEdit(): void; onClear(): void }) {
  const t = useTranslations('users.filter');
  return (
    <div className="filter-shown">
      <code>{filter}</code>
      <Button kind="plain" onPress={onEdit}>
        {t('edit')}
      </Button>
      <Button kind="plain" aria-label={t('clear')} onPress={onClear}>
        <X aria-hidden />
      </Button>
    </div>
  );
}
