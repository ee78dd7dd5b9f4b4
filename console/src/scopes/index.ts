export { ScopeList, ScopePicker } from './scope-picker.tsx';
export { apiScopes, personalScopes } from './scopes.ts';
