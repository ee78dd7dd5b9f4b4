import {
  ComboBox as AriaComboBox,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components';
import { useTranslations } from '../words/index.ts';
import { validityOf } from './fields.tsx';

export interface Found {
  id: string;
  label: string;
  detail?: string | undefined;
}

/** A combo box for sets that are too large for a list. */
export function Combo({
  label,
  hint,
  problem,
  items,
  text,
  onText,
  onChoose,
  isRequired = false,
  autoFocus = false,
}: {
  label: string;
  hint?: string;
  problem?: string | undefined;
  items: readonly Found[];
  text: string;
  onText(text: string): void;
  onChoose(found: Found | undefined): void;
  isRequired?: boolean;
  autoFocus?: boolean;
}) {
  const t = useTranslations('common');
  return (
    <AriaComboBox
      className="field"
      items={items}
      inputValue={text}
      onInputChange={onText}
      onSelectionChange={(key) => onChoose(items.find(({ id }) => id === key))}
      {...validityOf(problem)}
      isRequired={isRequired}
      autoFocus={autoFocus}
      allowsEmptyCollection
      menuTrigger="input"
    >
      <Label>{label}</Label>
      <Input />
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="problem">{problem}</FieldError>
      <Popover className="popover">
        <ListBox className="listbox" renderEmptyState={() => <p className="none-found">{t('noneFound')}</p>}>
          {({ id, label: name, detail }: Found) => (
            <ListBoxItem id={id} className="listbox-item" textValue={name}>
              {name} {detail !== undefined && <span className="soft">{detail}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaComboBox>
  );
}
