/** A preview in German: the main screens, and English for the rest. */
import { formatBytes, formatBytesOf, formatCount } from '#shared/format/format'
import { pluralOf } from '#shared/format/plural'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { isolated, spelledCode } from '../names'

const plural = pluralOf('de')

const person = (name: string): string => (name === '' ? 'Jemand' : isolated(name))

const files = (count: number) =>
  plural(count, { one: `${formatCount(count)} Datei`, other: `${formatCount(count)} Dateien` })

const people = (count: number) =>
  plural(count, { one: `${formatCount(count)} Person`, other: `${formatCount(count)} Personen` })

export const german: Translation<Catalogue> = {
  person,
  actions: {
    cancel: 'Abbrechen',
    change: 'Ändern',
    close: 'Schließen',
    collapse: 'Einklappen',
    copied: 'Kopiert',
    copy: 'Kopieren',
    delete: 'Löschen',
    done: 'Fertig',
    expand: 'Ausklappen',
    pause: 'Pausieren',
    pauseAll: 'Alle pausieren',
    resume: 'Fortsetzen',
    save: 'Sichern',
    showFolder: 'Im Ordner zeigen',
    tryAgain: 'Erneut versuchen',
  },
  lists: { files, more: (count) => `und ${formatCount(count)} weitere` },
  progress: {
    timeLeft: (duration) => `noch ${duration}`,
    received: ({ bytes, totalBytes }) => `${formatBytesOf(bytes, totalBytes)} empfangen`,
    tryingDirect: 'direkte Verbindung wird versucht',
  },
  route: {
    local: 'Lokales Netz',
    direct: 'Direkt',
    directIpv6: 'Direkt, IPv6',
    directTcp: 'Direkt, TCP',
    relayed: 'Über Relay',
    relayedTcp: 'Über Relay, TCP',
    serverRelay: 'Über den Server',
  },
  server: {
    idle: 'Bereit',
    embedded: 'Auf diesem Computer bereit',
    connected: (host) => `Bereit über ${host}`,
    unreachable: (host) => `${host} antwortet nicht`,
  },
  home: {
    title: 'Dateien irgendwo ablegen',
    about:
      'Du bekommst sofort einen Code. Wer ihn eingibt, erhält die Dateien von diesem Computer.',
    send: 'Senden',
    receive: 'Empfangen',
    chooseFiles: 'Dateien auswählen',
    chooseFolder: 'Ordner auswählen',
    sendText: 'Text senden',
    firstTime: 'Öffne Thruflux auf beiden Computern: Einer teilt, der andere gibt den Code ein.',
  },
  transfers: { title: 'Übertragungen', dropMore: 'Weitere Dateien irgendwo ablegen.' },
  drop: {
    title: 'Zum Teilen ablegen',
    about: 'Du bekommst sofort einen Code.',
    orAdd: 'Oder auf einer offenen Freigabe ablegen, um sie zu ergänzen.',
  },
  codeField: {
    label: 'Hast du einen Code? Tippe oder füge ihn hier ein.',
    name: 'Code',
    placeholder: 'Code eingeben',
    join: 'Beitreten',
    wrongWord: (word) => `„${word}“ kommt in keinem Code vor.`,
    checkWord: 'Frag beim Absender nach.',
    didYouMean: 'Meintest du',
    suggestions: 'Vorgeschlagene Wörter',
  },
  joinLink: { open: 'QR-Code', title: 'Link', picture: 'QR-Code des Links', copy: 'Link kopieren' },
  share: {
    stop: 'Teilen beenden',
    more: 'Mehr',
    codeHint: 'Dein Code. Lies ihn vor oder klicke, um ihn zu kopieren.',
    codeLabel: 'Code',
    copyCode: 'Code kopieren',
    newCode: 'Neuer Code',
    opening: 'Code wird geholt',
    add: 'Hinzufügen',
    addFiles: 'Dateien',
    addFolder: 'Ordner',
    addText: 'Text',
    contents: 'In dieser Freigabe',
    showContents: 'Inhalt',
    counting: 'Dateien werden gezählt',
    stillCounting: 'zählt noch',
    sharedNow: 'gerade geteilt',
    preparing: 'Wird vorbereitet',
    waiting: 'Warten, bis jemand den Code eingibt',
    moreCanJoin: 'Weitere Personen können später mit demselben Code beitreten.',
    noOneJoined: 'niemand ist beigetreten',
    codeName: (code) => `Code ${spelledCode(code)}. Kopieren`,
    sharedAgo: (duration) => `seit ${duration} geteilt`,
    people,
  },
  receivers: {
    title: 'Empfänger',
    count: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} Empfänger`,
        other: `${formatCount(count)} Empfänger`,
      }),
    totalSpeed: (rate) => `${rate} insgesamt`,
    disconnect: (name) => `${person(name)} trennen`,
    reviewing: 'sieht sich deine Dateien an',
    via: (relay) => `über ${relay}`,
  },
  preview: {
    title: ({ name, files: count }) => `${person(name)} möchte dir ${files(count)} senden`,
    titleOfText: ({ name }) => `${person(name)} möchte dir einen Text senden`,
    verifiedByCode: 'mit deinem Code bestätigt',
    verifiedByNumber: 'mit der verglichenen Zahl bestätigt',
    choose: 'Auswählen, was du empfängst',
    saveTo: 'Sichern in',
    checking: 'Ordner wird geprüft',
    moreOptions: 'Weitere Optionen',
    nothingYet: 'Nichts wird gesichert, bevor du annimmst.',
    decline: 'Ablehnen',
    skipped: 'Übersprungen',
    filesWanted: ({ files: count, totalFiles }) => `${formatCount(count)} von ${files(totalFiles)}`,
    needed: (bytes) => `${formatBytes(bytes)} benötigt`,
    freeAfter: (bytes) => `danach ${formatBytes(bytes)} frei`,
    receive: (bytes) => `${formatBytes(bytes)} empfangen`,
    policies: {
      'update-unchanged': 'Aktualisieren, wenn unverändert',
      'keep-both': 'Beide behalten',
      replace: 'Ersetzen',
      update: 'Geänderte Teile ersetzen',
      'replace-older': 'Ältere ersetzen',
      skip: 'Überspringen',
    },
  },
  receive: {
    from: (name) => `von ${person(name)}`,
    fromTo: ({ name, directory }) => `Von ${person(name)} in ${directory}`,
    figures: { received: 'empfangen', speed: 'Geschwindigkeit', left: 'übrig' },
  },
  interrupted: {
    title: 'Unterbrochen',
    about: 'Bereits Empfangenes bleibt erhalten.',
    enterCode: 'Code eingeben',
  },
  result: {
    averageSpeed: 'Durchschnitt',
    files: 'Dateien',
    received: 'Empfangen',
    time: 'Dauer',
    route: 'Weg',
    savedTo: 'Gesichert in',
  },
}
