import type { Words } from '../en/index.ts';

export const keys: Words['keys'] = {
  title: 'Clés de signature',
  lead: 'Ce avec quoi les jetons du tenant sont signés. Le renouvellement des clés est automatique ; personne n’a rien à faire.',
  rotate: 'Renouveler maintenant',
  compromised: 'Des clés ont été volées',
  empty: 'Aucune clé pour l’instant',
  emptyHint: 'Elles sont créées à la première connexion.',
  made: 'Créée le',
  signs: 'Signe depuis le',
  willSign: 'Signera à partir du',
  retired: 'A cessé de signer le',
  states: { NEXT: 'suivante', CURRENT: 'actuelle', RETIRED: 'retirée' },
  stateHints: {
    NEXT: 'Publiée, pour que tous ceux qui vérifient l’aient vue avant qu’elle signe.',
    CURRENT: 'Signe ce qui est émis maintenant.',
    RETIRED: 'Ne signe plus ; publiée jusqu’à l’expiration de ce qu’elle a signé.',
  },
  noneHints: { NEXT: 'Aucune n’attend.', CURRENT: 'Aucune.', RETIRED: 'Aucune.' },
  jwks: 'Où elles sont publiées',
  jwksLead:
    'Leurs moitiés publiques, sous forme de JSON Web Key Set. Les logiciels qui vérifient des jetons le récupèrent d’eux-mêmes.',
  algorithms: 'Lesquelles',
  rotateLead:
    'Les clés suivantes sont publiées maintenant et signent dès que tous ceux qui vérifient ont eu le temps de les voir. Aucun jeton n’échoue, personne n’est déconnecté.',
  compromisedTitle: 'Retirer maintenant des clés volées ?',
  compromisedLead: 'Seulement si une clé peut être dans d’autres mains. C’est irréversible.',
  compromisedEnds:
    'Les clés sont retirées aussitôt. Tout jeton qu’elles ont signé est refusé, pour tout le monde, dans toutes les applications.',
  compromisedVerifiers:
    'Les applications qui vérifient elles-mêmes refusent dès qu’elles récupèrent les nouvelles clés.',
  compromisedYou: 'Vos propres jetons en font partie : il vous sera peut-être demandé de vous reconnecter.',
  compromisedSubmit: 'Retirer les clés et tout ce qu’elles ont signé',
  understood: 'Je comprends que les jetons de tout le monde prennent fin.',
  notUnderstood: 'Confirmez que vous l’avez compris.',
  typeTenant: 'Saisissez l’identifiant du tenant pour confirmer : {tenant}',
  wrongTenant: 'Ce n’est pas l’identifiant du tenant.',
};
