/** Where a spreadsheet would see a formula: at a beginning, also behind what it may take for the end of a cell (`;`, in many languages). */
const formula = /(^|[;\t\r\n])(\s*)(?=[=+\-@])/g;

/** A cell (RFC 4180). What a spreadsheet would take for a formula, and run, is marked as text. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? value.replace(formula, "$1'$2") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
