/** A preview in French: states and the errors that people meet, and English for the rest. */
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'
import { fixed, named } from '#shared/text/error-text'

export const french: Translation<SharedText> = {
  states: {
    preparing: 'Préparation',
    waiting: 'En attente',
    waitingForYou: 'En attente de votre choix',
    connecting: 'Connexion',
    reconnecting: 'Reconnexion',
    reconnected: 'Reconnecté',
    deciding: 'Décision en cours',
    sending: 'Envoi',
    receiving: 'Réception',
    transferring: 'Transfert',
    finishing: 'Finalisation',
    paused: 'En pause par vous',
    pausedByPeer: 'En pause par l’autre côté',
    interrupted: 'Interrompu',
    verified: 'Reçu et vérifié',
    stopped: 'Arrêté',
    stoppedByPeer: 'Arrêté par l’autre côté',
    declined: 'Refusé',
    canceled: 'Annulé',
    failed: 'Échec',
  },
  stalls: {
    network: 'aucune donnée ne passe',
    peer: 'l’autre ordinateur ne répond pas',
    'no-route': 'pas encore de connexion, nouvel essai',
    limit: 'ralenti par une limite de vitesse',
  },
  badCodes: {
    notACode: {
      what: 'Ce n’est pas un code.',
      remedy: 'Saisissez-le ainsi : 4821-apple-kayak-onion, un nombre et trois mots.',
    },
  },
  errors: {
    E_SERVER_UNREACHABLE: named(
      (subject) => `Le serveur ${subject} ne répond pas.`,
      'Le serveur ne répond pas.',
      'Vérifiez le réseau de cet ordinateur et l’adresse du serveur dans les réglages.',
    ),
    E_NO_SUCH_CODE: fixed(
      'Aucun partage ouvert n’a ce numéro.',
      'Vérifiez auprès de l’expéditeur : le partage est peut-être terminé.',
    ),
    E_CODE_MISMATCH: fixed(
      'Les mots du code ne correspondent pas à ce partage.',
      'Vérifiez chaque mot avec l’expéditeur et saisissez de nouveau le code.',
    ),
    E_OWN_CODE: fixed(
      'C’est votre propre partage.',
      'Saisissez le code sur l’ordinateur qui reçoit.',
    ),
    E_NO_ROUTE: fixed(
      'Connexion à l’autre ordinateur impossible : un réseau bloque les connexions directes.',
      'Ajoutez un relais dans les réglages ou connectez les deux ordinateurs au même réseau.',
    ),
    E_PEER_GONE: fixed(
      'L’autre ordinateur ne répond plus.',
      'Vérifiez qu’il est allumé et connecté, puis recommencez : les fichiers terminés sont conservés.',
    ),
    E_DISK_FULL: fixed(
      'L’espace disque est insuffisant.',
      'Libérez de l’espace ou choisissez un dossier sur un autre disque ; les fichiers terminés sont conservés.',
    ),
    E_STOPPED: fixed(
      'L’autre côté a arrêté le transfert.',
      'Demandez un nouveau code pour reprendre : les fichiers terminés sont conservés.',
    ),
    E_CANCELLED: fixed(
      'Le transfert a été annulé.',
      'Relancez-le quand vous voulez : les fichiers terminés sont conservés.',
    ),
    E_DECLINED: fixed(
      'Vous avez refusé l’offre.',
      'Saisissez de nouveau le code si vous voulez la recevoir.',
    ),
  },
}
