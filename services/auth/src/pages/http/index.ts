export { type App, appLinks, appLogo } from './app.ts';
export { type AuthorizationAnswer, sendAnswer } from './authorization-answer.ts';
export {
  browserDigest,
  browserOf,
  clearSessionCookie,
  csrfToken,
  isOwnForm,
  knownBrowser,
  sessionCookieOf,
  setSessionCookie,
} from './browser.ts';
export { field } from './field.ts';
export { errorSummary, layout, type Markup, type Problem, sentence } from './layout.ts';
export { AnsweredBefore, formTargetOf, PageError, sendErrorPage, sendOn, sendPage } from './page.ts';
export { hidden, passkeyForm, passkeyScriptElement } from './passkey.ts';
export { type Look, languageTags, readBy, setLocale, setTheme } from './reader.ts';
export { type ErrorPageKind, words, wordsForScope } from './words.ts';
