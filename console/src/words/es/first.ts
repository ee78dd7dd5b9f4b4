import type { FirstWords } from '../en/index.ts';
import { common, conflict, failures, navigation, shell, start, stepUp } from './common.ts';
import { overview } from './overview.ts';

export const first: FirstWords = {
  common,
  conflict,
  failures,
  navigation,
  overview,
  shell,
  start,
  stepUp,
};
