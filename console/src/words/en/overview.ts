export const overview = {
  title: 'Overview',
  of: 'Current status of {tenant}',
  notKnown: 'not available',
  asTable: 'Show as table',
  done: 'done',
  open: 'to do',
  figures: {
    people: 'Active users',
    peopleHint:
      '{inactive, plural, =0 {no inactive users} one {# inactive user} other {# inactive users}}, {groups, plural, one {# group} other {# groups}}',
    sessions: 'Active sessions',
    sessionsHint: '{grants, plural, one {# app grant} other {# app grants}}',
    signIns: 'Sign-ins today',
    signInsHint: '{refused, plural, =0 {none rejected} one {# rejected} other {# rejected}} (UTC)',
    openDoors: 'Remaining access of offboarded users',
    openDoorsHint:
      '{users, plural, =0 {no users offboarded yet} one {the only offboarded user, checked now} other {all # offboarded users, checked now}}',
    openDoorsNewest:
      '{users, plural, =0 {no offboarded user was checked} one {last offboarded user, checked now; earlier ones are not checked} other {last # offboarded users, checked now; earlier ones are not checked}}',
    openDoorsPartly:
      '{unknown, plural, one {# user couldn’t be checked} other {# users couldn’t be checked}}',
    openDoorsUnknown: 'not available: requires audit:read, or the check is in progress',
  },
  signIns: {
    title: 'Sign-ins by day',
    titleByHour: 'Sign-ins by hour',
    byHour: 'By hour',
    byDay: 'By day',
    day: 'Day (UTC)',
    hour: 'Hour',
    accepted: 'successful',
    refused: 'unknown user or wrong password',
    delayed: 'delayed after repeated attempts',
    summary:
      'Password sign-ins in {days} days: {accepted, number} successful, {refused, number} rejected, {delayed, number} delayed.',
    summaryByHour:
      'Password sign-ins in {hours} hours: {accepted, number} successful, {refused, number} rejected, {delayed, number} delayed.',
  },
  growth: {
    title: 'Users by day',
    day: 'Day (UTC)',
    active: 'active',
    total: 'total',
    change: 'change',
    summary:
      '{change, plural, =0 {No change in {days} days.} other {{change, number, ::sign-always} in {days} days.}}',
  },
  departures: {
    title: 'Recently offboarded',
    none: 'No offboarded users yet',
    noneHint:
      'When a user is deactivated or deleted, all access is revoked. The result and the time taken appear here.',
    deleted: 'deleted: {id}',
    back: 'reactivated',
    closed:
      '{count, plural, =0 {no access to revoke} one {# access path closed} other {# access paths closed}}',
    notified: '{notified} of {all} messages delivered',
    asked: 'found by directory check',
    ms: '{ms} ms',
    seconds: '{s} s',
    open: '{count, plural, one {# open} other {# open}}',
    unknown: 'not available',
  },
  attention: {
    title: 'Needs attention',
    nothing: 'Nothing needs attention.',
    tones: { bad: 'Urgent', warn: 'Soon', note: 'For information' },
    kinds: {
      openDoors:
        '{count, plural, one {# access path of an offboarded user is open} other {# access paths of offboarded users are open}}',
      failing: 'Deliveries to {name} are failing. First failure:',
      receiverOff: '{name} receives no events: paused or disabled',
      dead: '{count, plural, one {# delivery failed permanently} other {# deliveries failed permanently}}',
      lag: '{count, plural, one {# message is pending. Created:} other {# messages are pending. Oldest:}}',
      sourceOff: 'Identity source {name} is disabled',
      sourceSilent: 'Identity source {name} is inactive. Last request:',
      sourceUnused: 'Identity source {name} has never sent a request',
      tokenExpires: 'Token of {name} expires',
      failedRequests:
        '{count, plural, one {# SCIM request failed in the last 24 hours} other {# SCIM requests failed in the last 24 hours}}',
      keyExpires: 'A key of the service account {name} expires',
      apiKeys:
        '{count, plural, one {# API key expires within two weeks} other {# API keys expire within two weeks}}',
      personalTokens:
        '{count, plural, one {# personal access token expires within two weeks} other {# personal access tokens expire within two weeks}}',
      ownerless: 'Identity source {name} has no owner: no offboarding disables it',
      sameUsers:
        '{count, plural, one {# user has a duplicate user name} other {# users have duplicate user names}}',
      sameGroups: '{count, plural, one {# group has a duplicate name} other {# groups have duplicate names}}',
      noSecondFactor: 'Administrators can sign in without a second factor',
      partly: 'Only the first {count} identity sources and service accounts were checked',
    },
    ownerlessOf: {
      clients:
        '{count, plural, one {# app has no owner: no offboarding disables it} other {# apps have no owner: no offboarding disables them}}',
      accounts:
        '{count, plural, one {# service account has no owner} other {# service accounts have no owner}}',
      keys: '{count, plural, one {# API key has no owner} other {# API keys have no owner}}',
    },
  },
  first: {
    title: 'When a user leaves, all access is revoked everywhere within moments',
    lead: 'Ostiary stores your users and groups and signs them in to your apps. Offboarding revokes their sessions, tokens, keys and grants. Set it up in four steps.',
    steps: {
      people: 'Connect an identity source',
      app: 'Register an app',
      tell: 'Notify your systems',
      leave: 'Offboard a test user',
    },
    hints: {
      people: 'Use Entra ID, Okta, OneLogin or any SCIM 2.0 source, or create a user manually.',
      app: 'Sign users in with OpenID Connect. Code snippets for common frameworks are provided.',
      tell: 'Create a webhook. It receives signed offboarding events within moments.',
      leave: 'Open a user and offboard them. The report shows each revoked access path and the time taken.',
    },
  },
};
