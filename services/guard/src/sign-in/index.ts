export { appCookies } from './domain/cookies.ts';
export { Logouts } from './domain/logouts.ts';
export { isOwnPath } from './domain/own-paths.ts';
export { isForgery, isPageLoad } from './domain/same-origin.ts';
export { SealedCookies } from './domain/sealed-cookies.ts';
export { WebApp } from './domain/web-app.ts';
