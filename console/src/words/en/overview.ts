export const overview = {
  title: 'Overview',
  of: 'How {tenant} is doing now',
  notKnown: 'not known',
  asTable: 'As a table',
  done: 'done',
  open: 'to do',
  figures: {
    people: 'Active people',
    peopleHint:
      '{inactive, plural, =0 {nobody is inactive} one {# is inactive} other {# are inactive}}, {groups, plural, one {# group} other {# groups}}',
    sessions: 'Signed in now',
    sessionsHint:
      '{grants, plural, one {# app was allowed something} other {# times an app was allowed something}}',
    signIns: 'Sign-ins today',
    signInsHint: '{refused, plural, =0 {none was refused} one {# was refused} other {# were refused}} (UTC)',
    openDoors: 'Open doors of people who left',
    openDoorsHint:
      '{people, plural, =0 {nobody has left yet} one {of the last person who left, looked up just now} other {of the last # who left, looked up just now}}',
    openDoorsPartly:
      '{unknown, plural, one {of # person it can’t be said right now} other {of # people it can’t be said right now}}',
    openDoorsUnknown: 'can’t be said: it takes audit:read, or is being looked up',
  },
  signIns: {
    title: 'Sign-ins by day',
    day: 'Day (UTC)',
    accepted: 'signed in',
    refused: 'wrong password, or nobody we know',
    delayed: 'too soon after others',
    summary:
      'By password, in {days} days: {accepted, number} signed in, {refused, number} refused, {delayed, number} delayed.',
  },
  growth: {
    title: 'People by day',
    day: 'Day (UTC)',
    active: 'active',
    total: 'all',
    change: 'change',
    summary:
      '{change, plural, =0 {As many as {days} days ago.} other {{change, number, ::sign-always} in {days} days.}}',
  },
  departures: {
    title: 'Who left last',
    none: 'Nobody has left yet',
    noneHint:
      'When somebody is deactivated or deleted, here or by an identity source, all of their doors close at once. It stands here, with the milliseconds it took.',
    deleted: 'deleted: {id}',
    back: 'is back',
    closed: '{count, plural, =0 {nothing was open} one {# door closed} other {# doors closed}}',
    notified: '{notified} of {all} told outside',
    asked: 'learnt by asking',
    ms: '{ms} ms',
    seconds: '{s} s',
    open: '{count, plural, =0 {0 open} other {# open}}',
    unknown: 'not known',
  },
  attention: {
    title: 'Needs attention',
    nothing: 'Nothing needs attention.',
    tones: { bad: 'Urgent', warn: 'Soon', note: 'To know' },
    kinds: {
      openDoors:
        '{count, plural, one {# door of somebody who left is open} other {# doors of people who left are open}}',
      failing: 'Nothing arrives at {name}',
      receiverOff: '{name} is told nothing: paused or disabled',
      dead: '{count, plural, one {# message was given up} other {# messages were given up}}',
      lag: '{count, plural, one {# message waits to be delivered, since} other {# messages wait to be delivered, the oldest since}}',
      sourceOff: 'The source {name} is disabled',
      sourceSilent: 'The source {name} is silent; its last request was',
      sourceUnused: 'The source {name} has never asked for anything',
      tokenExpires: 'The token of {name} ends',
      failedRequests:
        '{count, plural, one {# SCIM request failed in the last day} other {# SCIM requests failed in the last day}}',
      keyExpires: 'A key of the service account {name} ends',
      apiKeys:
        '{count, plural, one {# API key ends within two weeks} other {# API keys end within two weeks}}',
      personalTokens:
        '{count, plural, one {# personal access token ends within two weeks} other {# personal access tokens end within two weeks}}',
      ownerless: 'The source {name} belongs to nobody, so nobody’s departure closes it',
      sameUsers:
        '{count, plural, one {# person shares a user name with somebody} other {# people share a user name}}',
      sameGroups: '{count, plural, one {# group shares its name with another} other {# groups share a name}}',
      noSecondFactor: 'Administrators may sign in without a second factor',
      partly: 'Only the first {count} sources and service accounts were looked at',
    },
    ownerlessOf: {
      clients:
        '{count, plural, one {# app belongs to nobody, so nobody’s departure closes it} other {# apps belong to nobody, so nobody’s departure closes them}}',
      accounts:
        '{count, plural, one {# service account belongs to nobody} other {# service accounts belong to nobody}}',
      keys: '{count, plural, one {# API key belongs to nobody} other {# API keys belong to nobody}}',
    },
  },
  first: {
    title: 'When a person leaves, every door closes, everywhere, at once',
    lead: 'Ostiary keeps your people and groups, signs them in to your apps, and ends everything of a person the moment they go: sessions, tokens, keys, what they allowed and what they own. Four steps to see it.',
    steps: {
      people: 'Connect where your people come from',
      app: 'Register the first app',
      tell: 'Have your systems told',
      leave: 'Let a test person go',
    },
    hints: {
      people: 'Entra ID, Okta, OneLogin or any SCIM 2.0 source; or create a user by hand.',
      app: 'Sign in with OpenID Connect: there are snippets to paste for common frameworks.',
      tell: 'A webhook hears of departures within moments, signed.',
      leave: 'Open a user, choose to offboard them, and watch the doors close, each with its milliseconds.',
    },
  },
};
