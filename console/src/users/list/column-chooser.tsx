import { Check, Columns3 } from 'lucide-react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { Button } from '../../ui/index.ts';
import { useTranslations } from '../../words/index.ts';
import { type ColumnId, columnIds } from './columns.tsx';

/** Chooses the columns of the list; at least one. */
export function ColumnChooser({
  shown,
  onChange,
}: {
  shown: readonly ColumnId[];
  onChange(shown: readonly ColumnId[]): void;
}) {
  const t = useTranslations('users');
  return (
    <MenuTrigger>
      <Button>
        <Columns3 aria-hidden /> {t('columnsButton')}
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu
          className="menu"
          aria-label={t('columnsButton')}
          selectionMode="multiple"
          disallowEmptySelection
          shouldCloseOnSelect={false}
          selectedKeys={shown}
          onSelectionChange={(keys) => onChange(columnIds.filter((id) => keys === 'all' || keys.has(id)))}
        >
          {columnIds.map((id) => (
            <MenuItem key={id} id={id} className="menu-item" textValue={t(`columns.${id}`)}>
              {({ isSelected }) => (
                <>
                  <span className="tick">{isSelected && <Check aria-hidden size="1em" />}</span>
                  {t(`columns.${id}`)}
                </>
              )}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
