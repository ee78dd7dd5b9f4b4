export { type AccessRule, findRule, type HostRules } from './domain/rules.ts';
export { parseRules, RulesError } from './domain/rules-file.ts';
