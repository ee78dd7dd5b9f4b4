import { detailWithValues, isUniqueViolation } from '@ostiary/database';
import { NotUniqueValue } from '../../errors/index.ts';

/** What the database says of a value that another resource has, where the schema says that it must be unique. */
export function asTakenValue(error: unknown): NotUniqueValue | undefined {
  if (!isUniqueViolation(error, 'unique_values_pkey')) return undefined;
  const name = uniqueAttribute(error);
  const what = name === undefined ? 'A value that must be unique' : `This value of ${name}`;
  return new NotUniqueValue(`${what} is taken.`, name);
}

/** The attribute whose value is taken: keys are its name, "=" and the value, which the client knows already. */
function uniqueAttribute(error: unknown): string | undefined {
  return /\(tenant, key\)=\([^,]+, ([^=]+)=/.exec(detailWithValues(error) ?? '')?.[1];
}
