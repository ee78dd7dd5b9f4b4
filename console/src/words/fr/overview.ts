import type { Words } from '../en/index.ts';

export const overview: Words['overview'] = {
  title: 'Vue d’ensemble',
  of: 'L’état de {tenant} en ce moment',
  notKnown: 'inconnu',
  asTable: 'Sous forme de tableau',
  done: 'fait',
  open: 'à faire',
  figures: {
    people: 'Personnes actives',
    peopleHint:
      '{inactive, plural, =0 {personne d’inactif} one {# inactive} other {# inactives}}, {groups, plural, one {# groupe} other {# groupes}}',
    sessions: 'Connectés maintenant',
    sessionsHint:
      '{grants, plural, =0 {aucune autorisation d’application} one {# autorisation d’application} other {# autorisations d’applications}}',
    signIns: 'Connexions aujourd’hui',
    signInsHint: '{refused, plural, =0 {aucune refusée} one {# refusée} other {# refusées}} (UTC)',
    openDoors: 'Portes ouvertes de personnes parties',
    openDoorsHint:
      '{people, plural, =0 {personne n’est encore parti} =1 {de la dernière personne partie, vérifié à l’instant} other {des # dernières personnes parties, vérifié à l’instant}}',
    openDoorsPartly:
      '{unknown, plural, one {pour # personne, on ne peut pas le dire en ce moment} other {pour # personnes, on ne peut pas le dire en ce moment}}',
    openDoorsUnknown: 'on ne peut pas le dire : il faut audit:read, ou la vérification est en cours',
  },
  signIns: {
    title: 'Connexions par jour',
    day: 'Jour (UTC)',
    accepted: 'réussies',
    refused: 'mauvais mot de passe, ou personne inconnue',
    delayed: 'trop tôt après d’autres tentatives',
    summary:
      'Par mot de passe, en {days, plural, one {# jour} other {# jours}} : {accepted, plural, one {{accepted, number} connexion} other {{accepted, number} connexions}}, {refused, plural, one {{refused, number} refusée} other {{refused, number} refusées}}, {delayed, plural, one {{delayed, number} retardée} other {{delayed, number} retardées}}.',
  },
  growth: {
    title: 'Personnes par jour',
    day: 'Jour (UTC)',
    active: 'actives',
    total: 'toutes',
    change: 'évolution',
    summary:
      '{change, plural, =0 {Autant qu’il y a {days} jours.} other {{change, number, ::sign-always} en {days} jours.}}',
  },
  departures: {
    title: 'Derniers départs',
    none: 'Personne n’est encore parti',
    noneHint:
      'Quand quelqu’un est désactivé ou supprimé, ici ou par une source d’identités, toutes ses portes se ferment aussitôt. Cela figure ici, avec le nombre de millisecondes qu’il a fallu.',
    deleted: 'supprimé : {id}',
    back: 'est revenu',
    closed: '{count, plural, =0 {rien n’était ouvert} one {# porte fermée} other {# portes fermées}}',
    notified: '{notified} sur {all} annoncés à l’extérieur',
    asked: 'appris en demandant',
    ms: '{ms} ms',
    seconds: '{s} s',
    open: '{count, plural, one {# ouverte} other {# ouvertes}}',
    unknown: 'inconnu',
  },
  attention: {
    title: 'À surveiller',
    nothing: 'Rien à signaler.',
    tones: { bad: 'Urgent', warn: 'Bientôt', note: 'À savoir' },
    kinds: {
      openDoors:
        '{count, plural, one {# porte d’une personne partie est ouverte} other {# portes de personnes parties sont ouvertes}}',
      failing: 'Plus rien n’arrive à {name}, premier échec',
      receiverOff: 'Rien n’est annoncé à {name} : en pause ou désactivé',
      dead: '{count, plural, one {# message a été abandonné} other {# messages ont été abandonnés}}',
      lag: '{count, plural, one {# message attend d’être remis, consigné} other {# messages attendent d’être remis, le plus ancien consigné}}',
      sourceOff: 'La source {name} est désactivée',
      sourceSilent: 'La source {name} se tait ; dernière requête',
      sourceUnused: 'La source {name} n’a encore jamais rien demandé',
      tokenExpires: 'Le jeton de {name} expire',
      failedRequests:
        '{count, plural, one {# requête SCIM a échoué ces dernières 24 heures} other {# requêtes SCIM ont échoué ces dernières 24 heures}}',
      keyExpires: 'Une clé du compte de service {name} expire',
      apiKeys:
        '{count, plural, one {# clé d’API expire dans les deux semaines} other {# clés d’API expirent dans les deux semaines}}',
      personalTokens:
        '{count, plural, one {# jeton d’accès personnel expire dans les deux semaines} other {# jetons d’accès personnels expirent dans les deux semaines}}',
      ownerless: 'La source {name} n’appartient à personne : aucun départ ne la ferme',
      sameUsers:
        '{count, plural, one {# personne partage un nom d’utilisateur avec une autre} other {# personnes partagent un nom d’utilisateur}}',
      sameGroups:
        '{count, plural, one {# groupe porte le même nom qu’un autre} other {# groupes portent un nom en double}}',
      noSecondFactor: 'Les administrateurs peuvent se connecter sans second facteur',
      partly:
        'Seuls les {count} premiers éléments ont été examinés, parmi les sources et parmi les comptes de service',
    },
    ownerlessOf: {
      clients:
        '{count, plural, one {# application n’appartient à personne : aucun départ ne la ferme} other {# applications n’appartiennent à personne : aucun départ ne les ferme}}',
      accounts:
        '{count, plural, one {# compte de service n’appartient à personne} other {# comptes de service n’appartiennent à personne}}',
      keys: '{count, plural, one {# clé d’API n’appartient à personne} other {# clés d’API n’appartiennent à personne}}',
    },
  },
  first: {
    title: 'Quand une personne part, toutes les portes se ferment, partout, aussitôt',
    lead: 'Ostiary gère les personnes et les groupes, les connecte à vos applications, et met fin, dès qu’une personne part, à tout ce qui est à elle : sessions, jetons, clés, ce qu’elle a permis et ce qu’elle possède. Quatre étapes pour le voir.',
    steps: {
      people: 'Connectez la source de vos utilisateurs',
      app: 'Enregistrez la première application',
      tell: 'Faites informer vos systèmes',
      leave: 'Faites partir une personne d’essai',
    },
    hints: {
      people: 'Entra ID, Okta, OneLogin ou toute source SCIM 2.0 ; ou créez un utilisateur à la main.',
      app: 'Connexion avec OpenID Connect : il y a des extraits à coller pour les frameworks courants.',
      tell: 'Un webhook apprend les départs en quelques instants, avec signature.',
      leave:
        'Ouvrez un utilisateur, choisissez « Départ immédiat », et regardez les portes se fermer, chacune avec ses millisecondes.',
    },
  },
};
