/**
 * Positions at which a spreadsheet may interpret a formula: the start of the text, and after a possible separator (`;`
 * in many locales).
 */
const formula = /(^|[;\t\r\n])(\s*)(?=[=+\-@])/g;

/** Returns a CSV cell (RFC 4180). Formulas are marked as text, so that spreadsheets do not execute them. */
export function csvCell(value: string | number | null): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? value.replace(formula, "$1'$2") : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
