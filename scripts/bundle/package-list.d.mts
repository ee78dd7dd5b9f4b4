import type { Plugin } from 'vite';

/** @see package-list.mjs */
export declare function packageList(): Plugin;
