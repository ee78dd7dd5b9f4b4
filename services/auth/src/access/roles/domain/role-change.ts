import { apiRoleOf } from '../../../tenancy/index.ts';

type Side = 'before' | 'after';
type Change = Partial<Record<Side, string>>;

/** Returns the change of an entry of the security log: `role`, or for a role of an API `apiRole` and the id `api`. */
export function roleChange(role: string, sides: readonly Side[]): Record<string, Change> {
  const on = (value: string): Change => Object.fromEntries(sides.map((side) => [side, value]));
  const ofApi = apiRoleOf(role);
  return ofApi ? { apiRole: on(ofApi.role), api: on(ofApi.apiId) } : { role: on(role) };
}
