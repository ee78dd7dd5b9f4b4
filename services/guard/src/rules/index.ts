export {
  type AccessRule,
  findRule,
  type HostRules,
  requirementOf,
  type SignInRules,
} from './domain/rules.ts';
export { parseRules, RulesError } from './domain/rules-file.ts';
