export { indexPage } from './index-page.ts';
export { Edge } from './proxy.ts';
