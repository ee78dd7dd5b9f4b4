import type { ReactNode } from 'react';
import { TextField } from './fields.tsx';

/** A list of short texts, one per line. */
export const LinesField = ({
  value,
  onChange,
  ...field
}: {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  placeholder?: string;
  isRequired?: boolean;
  value: readonly string[];
  onChange(lines: readonly string[]): void;
}) => (
  <TextField
    {...field}
    rows={Math.min(Math.max(value.length + 1, 2), 8)}
    value={value.join('\n')}
    onChange={(text) => onChange(text === '' ? [] : text.split('\n'))}
  />
);

/** Returns the lines without surrounding white space and without empty lines. */
export const linesOf = (lines: readonly string[]): string[] =>
  lines.map((line) => line.trim()).filter((line) => line !== '');
