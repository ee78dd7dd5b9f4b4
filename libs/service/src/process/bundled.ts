/** The first module of every bundled program (scripts/bundle.mjs). */
import { nameSources } from './source-positions.ts';

nameSources(import.meta.filename);
