export { indexPage } from './index-page.ts';
export { edge } from './proxy.ts';
