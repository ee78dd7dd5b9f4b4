import type { Words } from '../en/index.ts';

export const keys: Words['keys'] = {
  title: 'Clés de signature',
  lead: 'Clés qui signent les jetons du tenant. Elles sont renouvelées automatiquement.',
  rotate: 'Renouveler maintenant',
  compromised: 'Retirer des clés compromises',
  empty: 'Aucune clé de signature pour l’instant',
  emptyHint: 'Les clés sont créées automatiquement à la première connexion.',
  made: 'Créée le',
  signs: 'Active depuis le',
  willSign: 'Active à partir du',
  retired: 'Retirée le',
  states: { NEXT: 'suivante', CURRENT: 'actuelle', RETIRED: 'retirée' },
  stateHints: {
    NEXT: 'Publiée à l’avance, afin que les vérificateurs reçoivent la clé avant qu’elle signe.',
    CURRENT: 'Signe les nouveaux jetons.',
    RETIRED: 'Ne signe plus. Publiée jusqu’à l’expiration de tous les jetons qu’elle a signés.',
  },
  noneHints: { NEXT: 'Aucune.', CURRENT: 'Aucune.', RETIRED: 'Aucune.' },
  jwks: 'Clés publiques',
  jwksLead:
    'Les clés publiques sous forme de JSON Web Key Set. Les applications qui vérifient des jetons le récupèrent automatiquement.',
  algorithms: 'Algorithmes',
  rotateLead:
    'Les nouvelles clés sont publiées maintenant et commencent à signer quand les vérificateurs ont eu le temps de les récupérer. Tous les jetons restent valides, et tous les utilisateurs restent connectés.',
  compromisedTitle: 'Retirer les clés compromises ?',
  compromisedLead: 'Ne retirez des clés que si un attaquant peut les avoir. Cette action est irréversible.',
  compromisedEnds:
    'Les clés sont retirées immédiatement. Tous les jetons qu’elles ont signés sont rejetés, pour tous les utilisateurs et applications.',
  compromisedVerifiers:
    'Les applications qui vérifient les jetons localement les rejettent dès qu’elles récupèrent les nouvelles clés.',
  compromisedYou: 'Vos propres jetons sont aussi rejetés. Vous devrez peut-être vous reconnecter.',
  compromisedSubmit: 'Retirer les clés et invalider les jetons',
  understood: 'Je comprends que les jetons de tous les utilisateurs deviennent invalides.',
  notUnderstood: 'Cochez la case pour confirmer.',
  typeTenant: 'Pour confirmer, saisissez l’identifiant du tenant : {tenant}',
  wrongTenant: 'L’identifiant du tenant ne correspond pas.',
};
