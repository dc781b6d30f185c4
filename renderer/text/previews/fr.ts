/** A preview in French: the main screens, and English for the rest. */
import { formatBytes, formatBytesOf, formatCount } from '#shared/format/format'
import { pluralOf } from '#shared/format/plural'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { isolated, spelledCode } from '../names'

const plural = pluralOf('fr')

const person = (name: string): string => (name === '' ? 'Quelqu’un' : isolated(name))

const files = (count: number) =>
  plural(count, { one: `${formatCount(count)} fichier`, other: `${formatCount(count)} fichiers` })

const people = (count: number) =>
  plural(count, { one: `${formatCount(count)} personne`, other: `${formatCount(count)} personnes` })

export const french: Translation<Catalogue> = {
  person,
  actions: {
    cancel: 'Annuler',
    change: 'Modifier',
    close: 'Fermer',
    collapse: 'Réduire',
    copied: 'Copié',
    copy: 'Copier',
    delete: 'Supprimer',
    done: 'Terminé',
    expand: 'Développer',
    pause: 'Pause',
    pauseAll: 'Tout mettre en pause',
    resume: 'Reprendre',
    save: 'Enregistrer',
    showFolder: 'Afficher dans le dossier',
    tryAgain: 'Réessayer',
  },
  lists: { files, more: (count) => `et ${formatCount(count)} de plus` },
  progress: {
    timeLeft: (duration) => `encore ${duration}`,
    received: ({ bytes, totalBytes }) => `${formatBytesOf(bytes, totalBytes)} reçus`,
    tryingDirect: 'essai d’une connexion directe',
  },
  route: {
    local: 'Réseau local',
    direct: 'Directe',
    directIpv6: 'Directe, IPv6',
    directTcp: 'Directe, TCP',
    relayed: 'Par relais',
    relayedTcp: 'Par relais, TCP',
    serverRelay: 'Par le serveur',
  },
  server: {
    idle: 'Prêt',
    embedded: 'Prêt sur cet ordinateur',
    connected: (host) => `Prêt via ${host}`,
    unreachable: (host) => `${host} ne répond pas`,
  },
  home: {
    title: 'Déposez des fichiers n’importe où',
    about:
      'Vous obtenez aussitôt un code. Toute personne qui le saisit reçoit les fichiers de cet ordinateur.',
    send: 'Envoyer',
    receive: 'Recevoir',
    chooseFiles: 'Choisir des fichiers',
    chooseFolder: 'Choisir un dossier',
    sendText: 'Envoyer du texte',
    firstTime: 'Ouvrez Thruflux sur les deux ordinateurs : l’un partage, l’autre saisit le code.',
  },
  transfers: { title: 'Transferts', dropMore: 'Déposez d’autres fichiers n’importe où.' },
  drop: {
    title: 'Déposez pour partager',
    about: 'Vous obtiendrez aussitôt un code.',
    orAdd: 'Ou déposez sur un partage ouvert pour l’y ajouter.',
  },
  codeField: {
    label: 'Vous avez un code ? Saisissez-le ou collez-le ici.',
    name: 'Code',
    placeholder: 'Saisir un code',
    join: 'Rejoindre',
    wrongWord: (word) => `« ${word} » n’est pas un mot de code.`,
    checkWord: 'Vérifiez auprès de l’expéditeur.',
    didYouMean: 'Vouliez-vous dire',
    suggestions: 'Mots proposés',
  },
  joinLink: { open: 'Code QR', title: 'Lien', picture: 'Code QR du lien', copy: 'Copier le lien' },
  share: {
    stop: 'Arrêter le partage',
    more: 'Plus',
    codeHint: 'Votre code. Lisez-le à voix haute ou cliquez pour le copier.',
    codeLabel: 'Code',
    copyCode: 'Copier le code',
    newCode: 'Nouveau code',
    opening: 'Obtention d’un code',
    add: 'Ajouter',
    addFiles: 'Fichiers',
    addFolder: 'Dossier',
    addText: 'Texte',
    contents: 'Dans ce partage',
    showContents: 'Contenu',
    counting: 'Comptage des fichiers',
    stillCounting: 'comptage en cours',
    sharedNow: 'partagé à l’instant',
    preparing: 'Préparation',
    waiting: 'En attente de la saisie du code',
    moreCanJoin: 'D’autres personnes peuvent rejoindre plus tard avec le même code.',
    noOneJoined: 'personne n’a rejoint',
    codeName: (code) => `Code ${spelledCode(code)}. Copier`,
    sharedAgo: (duration) => `partagé depuis ${duration}`,
    people,
  },
  receivers: {
    title: 'Destinataires',
    count: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} destinataire`,
        other: `${formatCount(count)} destinataires`,
      }),
    totalSpeed: (rate) => `${rate} au total`,
    disconnect: (name) => `Déconnecter ${person(name)}`,
    reviewing: 'examine vos fichiers',
    via: (relay) => `via ${relay}`,
  },
  preview: {
    title: ({ name, files: count }) => `${person(name)} veut vous envoyer ${files(count)}`,
    titleOfText: ({ name }) => `${person(name)} veut vous envoyer un texte`,
    verifiedByCode: 'vérifié avec votre code',
    verifiedByNumber: 'vérifié avec le numéro comparé',
    choose: 'Choisir ce que vous recevez',
    saveTo: 'Enregistrer dans',
    checking: 'Vérification du dossier',
    moreOptions: 'Plus d’options',
    nothingYet: 'Rien n’est enregistré avant votre accord.',
    decline: 'Refuser',
    skipped: 'Ignorés',
    filesWanted: ({ files: count, totalFiles }) => `${formatCount(count)} sur ${files(totalFiles)}`,
    needed: (bytes) => `${formatBytes(bytes)} nécessaires`,
    freeAfter: (bytes) => `${formatBytes(bytes)} libres ensuite`,
    receive: (bytes) => `Recevoir ${formatBytes(bytes)}`,
    policies: {
      'update-unchanged': 'Mettre à jour si inchangé ici',
      'keep-both': 'Garder les deux',
      replace: 'Remplacer',
      update: 'Remplacer ce qui a changé',
      'replace-older': 'Remplacer les anciens',
      skip: 'Ignorer',
    },
  },
  receive: {
    from: (name) => `de ${person(name)}`,
    fromTo: ({ name, directory }) => `De ${person(name)} vers ${directory}`,
    figures: { received: 'reçus', speed: 'vitesse actuelle', left: 'restant' },
  },
  interrupted: {
    title: 'Interrompu',
    about: 'Ce que vous avez déjà reçu est conservé.',
    enterCode: 'Saisir le code',
  },
  result: {
    averageSpeed: 'Vitesse moyenne',
    files: 'Fichiers',
    received: 'Reçus',
    time: 'Durée',
    route: 'Chemin',
    savedTo: 'Enregistré dans',
  },
}
