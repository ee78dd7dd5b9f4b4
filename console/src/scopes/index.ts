export { type OfferedApi, ScopeList, ScopePicker } from './scope-picker.tsx';
export { apiScopes, personalScopes } from './scopes.ts';
