/** A preview in Italian: the main screens, and English for the rest. */
import { formatBytes, formatBytesOf, formatCount } from '#shared/format/format'
import { pluralOf } from '#shared/format/plural'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { isolated, spelledCode } from '../names'

const plural = pluralOf('it')

const person = (name: string): string => (name === '' ? 'Qualcuno' : isolated(name))

const files = (count: number) =>
  plural(count, { one: `${formatCount(count)} file`, other: `${formatCount(count)} file` })

const people = (count: number) =>
  plural(count, { one: `${formatCount(count)} persona`, other: `${formatCount(count)} persone` })

export const italian: Translation<Catalogue> = {
  person,
  actions: {
    cancel: 'Annulla',
    change: 'Cambia',
    close: 'Chiudi',
    collapse: 'Comprimi',
    copied: 'Copiato',
    copy: 'Copia',
    delete: 'Elimina',
    done: 'Fatto',
    expand: 'Espandi',
    pause: 'Pausa',
    pauseAll: 'Metti tutto in pausa',
    resume: 'Riprendi',
    save: 'Salva',
    showFolder: 'Mostra nella cartella',
    tryAgain: 'Riprova',
  },
  lists: { files, more: (count) => `e altri ${formatCount(count)}` },
  progress: {
    timeLeft: (duration) => `ancora ${duration}`,
    received: ({ bytes, totalBytes }) => `${formatBytesOf(bytes, totalBytes)} ricevuti`,
    tryingDirect: 'provo una connessione diretta',
  },
  route: {
    local: 'Rete locale',
    direct: 'Diretta',
    directIpv6: 'Diretta, IPv6',
    directTcp: 'Diretta, TCP',
    relayed: 'Tramite relay',
    relayedTcp: 'Tramite relay, TCP',
    serverRelay: 'Tramite il server',
  },
  server: {
    idle: 'Pronto',
    embedded: 'Pronto su questo computer',
    connected: (host) => `Pronto tramite ${host}`,
    unreachable: (host) => `${host} non risponde`,
  },
  home: {
    title: 'Trascina i file ovunque',
    about: 'Ottieni subito un codice. Chi lo inserisce riceve i file da questo computer.',
    send: 'Invia',
    receive: 'Ricevi',
    chooseFiles: 'Scegli file',
    chooseFolder: 'Scegli cartella',
    sendText: 'Invia testo',
    firstTime: 'Apri Thruflux su entrambi i computer: uno condivide, l’altro inserisce il codice.',
  },
  transfers: { title: 'Trasferimenti', dropMore: 'Trascina altri file ovunque.' },
  drop: {
    title: 'Rilascia per condividere',
    about: 'Otterrai subito un codice.',
    orAdd: 'Oppure rilascia su una condivisione aperta per aggiungerli.',
  },
  codeField: {
    label: 'Hai un codice? Scrivilo o incollalo qui.',
    name: 'Codice',
    placeholder: 'Inserisci un codice',
    join: 'Partecipa',
    wrongWord: (word) => `“${word}” non è una parola dei codici.`,
    checkWord: 'Controlla con chi invia.',
    didYouMean: 'Forse intendevi',
    suggestions: 'Parole suggerite',
  },
  joinLink: { open: 'Codice QR', title: 'Link', picture: 'Codice QR del link', copy: 'Copia link' },
  share: {
    stop: 'Smetti di condividere',
    more: 'Altro',
    codeHint: 'Il tuo codice. Leggilo ad alta voce o fai clic per copiarlo.',
    codeLabel: 'Codice',
    copyCode: 'Copia codice',
    newCode: 'Nuovo codice',
    opening: 'Richiesta di un codice',
    add: 'Aggiungi',
    addFiles: 'File',
    addFolder: 'Cartella',
    addText: 'Testo',
    contents: 'In questa condivisione',
    showContents: 'Contenuto',
    counting: 'Conteggio dei file',
    stillCounting: 'conteggio in corso',
    sharedNow: 'condiviso adesso',
    preparing: 'Preparazione',
    waiting: 'In attesa che qualcuno inserisca il codice',
    moreCanJoin: 'Altre persone possono partecipare più tardi con lo stesso codice.',
    noOneJoined: 'nessuno ha partecipato',
    codeName: (code) => `Codice ${spelledCode(code)}. Copia`,
    sharedAgo: (duration) => `condiviso da ${duration}`,
    people,
  },
  receivers: {
    title: 'Destinatari',
    count: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} destinatario`,
        other: `${formatCount(count)} destinatari`,
      }),
    totalSpeed: (rate) => `${rate} in totale`,
    disconnect: (name) => `Disconnetti ${person(name)}`,
    reviewing: 'sta guardando i tuoi file',
    via: (relay) => `tramite ${relay}`,
  },
  preview: {
    title: ({ name, files: count }) => `${person(name)} vuole inviarti ${files(count)}`,
    titleOfText: ({ name }) => `${person(name)} vuole inviarti un testo`,
    verifiedByCode: 'verificato con il tuo codice',
    verifiedByNumber: 'verificato con il numero confrontato',
    choose: 'Scegli cosa ricevere',
    saveTo: 'Salva in',
    checking: 'Controllo della cartella',
    moreOptions: 'Altre opzioni',
    nothingYet: 'Niente viene salvato finché non accetti.',
    decline: 'Rifiuta',
    skipped: 'Saltati',
    filesWanted: ({ files: count, totalFiles }) => `${formatCount(count)} di ${files(totalFiles)}`,
    needed: (bytes) => `servono ${formatBytes(bytes)}`,
    freeAfter: (bytes) => `poi restano liberi ${formatBytes(bytes)}`,
    receive: (bytes) => `Ricevi ${formatBytes(bytes)}`,
    policies: {
      'update-unchanged': 'Aggiorna se non modificato qui',
      'keep-both': 'Conserva entrambi',
      replace: 'Sostituisci',
      update: 'Sostituisci ciò che è cambiato',
      'replace-older': 'Sostituisci i più vecchi',
      skip: 'Salta',
    },
  },
  receive: {
    from: (name) => `da ${person(name)}`,
    fromTo: ({ name, directory }) => `Da ${person(name)} in ${directory}`,
    figures: { received: 'ricevuti', speed: 'velocità attuale', left: 'rimanente' },
  },
  interrupted: {
    title: 'Interrotto',
    about: 'Quello che hai già ricevuto viene conservato.',
    enterCode: 'Inserisci codice',
  },
  result: {
    averageSpeed: 'Velocità media',
    files: 'File',
    received: 'Ricevuti',
    time: 'Tempo',
    route: 'Percorso',
    savedTo: 'Salvato in',
  },
}
