import { Check, ChevronDown, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  Checkbox as AriaCheckbox,
  SearchField as AriaSearchField,
  Select as AriaSelect,
  TextField as AriaTextField,
  type CheckboxProps,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  type SearchFieldProps,
  type SelectProps,
  SelectValue,
  Text,
  TextArea,
  type TextFieldProps,
} from 'react-aria-components';

interface Labelled {
  label: string;
  hint?: ReactNode;
  /** Problem of the value, as reported by the server or the form. */
  problem?: string | undefined;
}

/**
 * Shows a problem without blocking the form: a corrected value must be submittable. The native validity state would
 * block it.
 */
export const validityOf = (problem: string | undefined) =>
  problem === undefined ? {} : { isInvalid: true, validationBehavior: 'aria' as const };

export function TextField({
  label,
  hint,
  problem,
  rows,
  placeholder,
  ...props
}: Omit<TextFieldProps, 'className' | 'children'> & Labelled & { rows?: number; placeholder?: string }) {
  const control = { ...(placeholder === undefined ? {} : { placeholder }) };
  return (
    <AriaTextField {...props} className="field" {...validityOf(problem)}>
      <Label>{label}</Label>
      {rows === undefined ? <Input {...control} /> : <TextArea rows={rows} {...control} />}
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="problem">{problem}</FieldError>
    </AriaTextField>
  );
}

export interface Option {
  id: string;
  label: string;
}

export function Select({
  label,
  hint,
  problem,
  options,
  ...props
}: Omit<SelectProps<Option>, 'className' | 'children'> & Labelled & { options: readonly Option[] }) {
  return (
    <AriaSelect {...props} className="field" {...validityOf(problem)}>
      <Label>{label}</Label>
      <AriaButton className="select">
        <SelectValue />
        <ChevronDown aria-hidden size="1.1em" />
      </AriaButton>
      {hint !== undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <FieldError className="problem">{problem}</FieldError>
      <Popover className="popover">
        <ListBox className="listbox" items={options}>
          {({ id, label: text }) => (
            <ListBoxItem id={id} className="listbox-item" textValue={text}>
              {text}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

export const Checkbox = ({
  children,
  ...props
}: Omit<CheckboxProps, 'className' | 'children'> & { children?: ReactNode }) => (
  <AriaCheckbox {...props} className="checkbox">
    {({ isSelected, isIndeterminate }) => (
      <>
        <span className="box">
          {isIndeterminate ? (
            <Minus aria-hidden size="0.85em" />
          ) : (
            isSelected && <Check aria-hidden size="0.85em" />
          )}
        </span>
        {children}
      </>
    )}
  </AriaCheckbox>
);

export const SearchField = ({
  label,
  placeholder,
  ...props
}: Omit<SearchFieldProps, 'className' | 'children'> & { label: string; placeholder?: string }) => (
  <AriaSearchField {...props} aria-label={label} className="field search">
    <Input placeholder={placeholder ?? label} />
  </AriaSearchField>
);
