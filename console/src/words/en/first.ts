import { common, conflict, failures, navigation, shell, start, stepUp } from './common.ts';
import { overview } from './overview.ts';

/** What the first page says. */
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
