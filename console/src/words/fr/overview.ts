import type { Words } from '../en/index.ts';

export const overview: Words['overview'] = {
  title: 'Vue d’ensemble',
  of: 'État actuel de {tenant}',
  notKnown: 'non disponible',
  asTable: 'Afficher sous forme de tableau',
  done: 'fait',
  open: 'à faire',
  figures: {
    people: 'Utilisateurs actifs',
    peopleHint:
      '{inactive, plural, =0 {aucun utilisateur inactif} one {# utilisateur inactif} other {# utilisateurs inactifs}}, {groups, plural, one {# groupe} other {# groupes}}',
    sessions: 'Sessions actives',
    sessionsHint:
      '{grants, plural, one {# autorisation d’application} other {# autorisations d’applications}}',
    signIns: 'Connexions aujourd’hui',
    signInsHint: '{refused, plural, =0 {aucune refusée} one {# refusée} other {# refusées}} (UTC)',
    openDoors: 'Accès restants après un départ',
    openDoorsHint:
      '{users, plural, =0 {aucun départ pour l’instant} one {le seul utilisateur parti, vérifié à l’instant} other {les # utilisateurs partis, vérifiés à l’instant}}',
    openDoorsNewest:
      '{users, plural, =0 {aucun utilisateur parti n’a été vérifié} one {dernier utilisateur parti, vérifié à l’instant ; les précédents ne sont pas vérifiés} other {# derniers utilisateurs partis, vérifiés à l’instant ; les précédents ne sont pas vérifiés}}',
    openDoorsPartly:
      '{unknown, plural, one {# utilisateur n’a pas pu être vérifié} other {# utilisateurs n’ont pas pu être vérifiés}}',
    openDoorsUnknown: 'non disponible : nécessite audit:read, ou la vérification est en cours',
  },
  signIns: {
    title: 'Connexions par jour',
    titleByHour: 'Connexions par heure',
    byHour: 'Par heure',
    byDay: 'Par jour',
    day: 'Jour (UTC)',
    hour: 'Heure',
    accepted: 'réussies',
    refused: 'utilisateur inconnu ou mot de passe incorrect',
    delayed: 'retardées après plusieurs tentatives',
    summary:
      'Connexions par mot de passe en {days} jours : réussies {accepted, number}, refusées {refused, number}, retardées {delayed, number}.',
    summaryByHour:
      'Connexions par mot de passe en {hours} heures : réussies {accepted, number}, refusées {refused, number}, retardées {delayed, number}.',
  },
  growth: {
    title: 'Utilisateurs par jour',
    day: 'Jour (UTC)',
    active: 'actifs',
    total: 'total',
    change: 'évolution',
    summary:
      '{change, plural, =0 {Aucun changement en {days} jours.} other {{change, number, ::sign-always} en {days} jours.}}',
  },
  departures: {
    title: 'Derniers départs',
    none: 'Aucun départ pour l’instant',
    noneHint:
      'Quand un utilisateur est désactivé ou supprimé, tous ses accès sont révoqués. Le résultat et la durée apparaissent ici.',
    deleted: 'supprimé : {id}',
    back: 'réactivé',
    closed: '{count, plural, =0 {aucun accès à révoquer} one {# accès fermé} other {# accès fermés}}',
    notified: '{notified} messages sur {all} remis',
    asked: 'détecté lors d’une vérification de l’annuaire',
    ms: '{ms} ms',
    seconds: '{s} s',
    open: '{count, plural, one {# ouvert} other {# ouverts}}',
    unknown: 'non disponible',
  },
  attention: {
    title: 'À surveiller',
    nothing: 'Rien à signaler.',
    tones: { bad: 'Urgent', warn: 'Bientôt', note: 'Pour information' },
    kinds: {
      openDoors:
        '{count, plural, one {# accès d’un utilisateur parti est encore ouvert} other {# accès d’utilisateurs partis sont encore ouverts}}',
      failing: 'Les envois à {name} échouent. Premier échec :',
      receiverOff: '{name} ne reçoit aucun événement : en pause ou désactivé',
      dead: '{count, plural, one {# envoi a échoué définitivement} other {# envois ont échoué définitivement}}',
      lag: '{count, plural, one {# message en attente. Créé :} other {# messages en attente. Le plus ancien :}}',
      sourceOff: 'La source d’identités {name} est désactivée',
      sourceSilent: 'La source d’identités {name} est inactive. Dernière requête :',
      sourceUnused: 'La source d’identités {name} n’a encore jamais envoyé de requête',
      tokenExpires: 'Le jeton de {name} expire',
      failedRequests:
        '{count, plural, one {# requête SCIM a échoué ces dernières 24 heures} other {# requêtes SCIM ont échoué ces dernières 24 heures}}',
      keyExpires: 'Une clé du compte de service {name} expire',
      apiKeys:
        '{count, plural, one {# clé d’API expire dans les deux semaines} other {# clés d’API expirent dans les deux semaines}}',
      personalTokens:
        '{count, plural, one {# jeton d’accès personnel expire dans les deux semaines} other {# jetons d’accès personnels expirent dans les deux semaines}}',
      ownerless: 'La source d’identités {name} n’a pas de propriétaire : aucun départ ne la désactive',
      sameUsers:
        '{count, plural, one {# utilisateur a un nom d’utilisateur en double} other {# utilisateurs ont un nom d’utilisateur en double}}',
      sameGroups: '{count, plural, one {# groupe a un nom en double} other {# groupes ont un nom en double}}',
      noSecondFactor: 'Les administrateurs peuvent se connecter sans second facteur',
      partly:
        'Seuls les {count} premières sources d’identités et les {count} premiers comptes de service ont été vérifiés',
    },
    ownerlessOf: {
      clients:
        '{count, plural, one {# application n’a pas de propriétaire : aucun départ ne la désactive} other {# applications n’ont pas de propriétaire : aucun départ ne les désactive}}',
      accounts:
        '{count, plural, one {# compte de service n’a pas de propriétaire} other {# comptes de service n’ont pas de propriétaire}}',
      keys: '{count, plural, one {# clé d’API n’a pas de propriétaire} other {# clés d’API n’ont pas de propriétaire}}',
    },
  },
  first: {
    title: 'Quand un utilisateur part, tous ses accès sont révoqués partout en quelques instants',
    lead: 'Ostiary gère vos utilisateurs et vos groupes et les connecte à vos applications. À leur départ, leurs sessions, jetons, clés et autorisations sont révoqués. Configurez-le en quatre étapes.',
    steps: {
      people: 'Connectez une source d’identités',
      app: 'Enregistrez une application',
      tell: 'Informez vos systèmes',
      leave: 'Faites partir un utilisateur de test',
    },
    hints: {
      people:
        'Utilisez Entra ID, Okta, OneLogin ou toute source SCIM 2.0, ou créez un utilisateur manuellement.',
      app: 'Connectez les utilisateurs avec OpenID Connect. Des extraits de code sont fournis pour les frameworks courants.',
      tell: 'Créez un webhook. Il reçoit des événements de départ signés en quelques instants.',
      leave:
        'Ouvrez un utilisateur et choisissez « Départ immédiat ». Le rapport affiche chaque accès révoqué et la durée.',
    },
  },
};
