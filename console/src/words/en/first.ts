import { common, conflict, failures, navigation, shell, start, stepUp } from './common.ts';
import { overview } from './overview.ts';

/** Texts of the first page, which are part of the main bundle. */
export const first = {
  common,
  conflict,
  failures,
  navigation,
  overview,
  shell,
  start,
  stepUp,
};
