import { detailWithValues, isUniqueViolation } from '@ostiary/database';
import { NotUniqueValue } from '../../errors/index.ts';

/** Translates the database's error for a value that another resource has and that the schema requires to be unique. */
export function asTakenValue(error: unknown): NotUniqueValue | undefined {
  if (!isUniqueViolation(error, 'unique_values_pkey')) return undefined;
  const name = uniqueAttribute(error);
  const what = name === undefined ? 'A value that must be unique' : `This value of ${name}`;
  return new NotUniqueValue(`${what} is taken.`, name);
}

/** Returns the attribute of the taken value. A key is its name, "=" and the value, which the client sent itself. */
function uniqueAttribute(error: unknown): string | undefined {
  return /\(tenant, key\)=\([^,]+, ([^=]+)=/.exec(detailWithValues(error) ?? '')?.[1];
}
