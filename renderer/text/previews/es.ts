/** A preview in Spanish: the main screens, and English for the rest. */
import { formatBytes, formatBytesOf, formatCount } from '#shared/format/format'
import { pluralOf } from '#shared/format/plural'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { isolated, spelledCode } from '../names'

const plural = pluralOf('es')

const person = (name: string): string => (name === '' ? 'Alguien' : isolated(name))

const files = (count: number) =>
  plural(count, { one: `${formatCount(count)} archivo`, other: `${formatCount(count)} archivos` })

const people = (count: number) =>
  plural(count, { one: `${formatCount(count)} persona`, other: `${formatCount(count)} personas` })

export const spanish: Translation<Catalogue> = {
  person,
  actions: {
    cancel: 'Cancelar',
    change: 'Cambiar',
    close: 'Cerrar',
    collapse: 'Contraer',
    copied: 'Copiado',
    copy: 'Copiar',
    delete: 'Eliminar',
    done: 'Listo',
    expand: 'Expandir',
    pause: 'Pausar',
    pauseAll: 'Pausar todo',
    resume: 'Reanudar',
    save: 'Guardar',
    showFolder: 'Mostrar en la carpeta',
    tryAgain: 'Reintentar',
  },
  lists: { files, more: (count) => `y ${formatCount(count)} más` },
  progress: {
    timeLeft: (duration) => `quedan ${duration}`,
    received: ({ bytes, totalBytes }) => `${formatBytesOf(bytes, totalBytes)} recibidos`,
    tryingDirect: 'probando una conexión directa',
  },
  route: {
    local: 'Red local',
    direct: 'Directa',
    directIpv6: 'Directa, IPv6',
    directTcp: 'Directa, TCP',
    relayed: 'Por relé',
    relayedTcp: 'Por relé, TCP',
    serverRelay: 'Por el servidor',
  },
  server: {
    idle: 'Listo',
    embedded: 'Listo en este equipo',
    connected: (host) => `Listo mediante ${host}`,
    unreachable: (host) => `${host} no responde`,
  },
  home: {
    title: 'Suelta archivos en cualquier lugar',
    about: 'Recibes un código al instante. Quien lo introduzca recibe los archivos de este equipo.',
    send: 'Enviar',
    receive: 'Recibir',
    chooseFiles: 'Elegir archivos',
    chooseFolder: 'Elegir carpeta',
    sendText: 'Enviar texto',
    firstTime: 'Abre Thruflux en ambos equipos: uno comparte y el otro introduce el código.',
  },
  transfers: { title: 'Transferencias', dropMore: 'Suelta más archivos en cualquier lugar.' },
  drop: {
    title: 'Suelta para compartir',
    about: 'Recibirás un código al instante.',
    orAdd: 'O suelta sobre algo compartido para añadirlo.',
  },
  codeField: {
    label: '¿Tienes un código? Escríbelo o pégalo aquí.',
    name: 'Código',
    placeholder: 'Introduce un código',
    join: 'Unirse',
    wrongWord: (word) => `«${word}» no es una palabra de los códigos.`,
    checkWord: 'Compruébala con quien envía.',
    didYouMean: '¿Querías decir',
    suggestions: 'Palabras sugeridas',
  },
  joinLink: {
    open: 'Código QR',
    title: 'Enlace',
    picture: 'Código QR del enlace',
    copy: 'Copiar enlace',
  },
  share: {
    stop: 'Dejar de compartir',
    more: 'Más',
    codeHint: 'Tu código. Léelo en voz alta o haz clic para copiarlo.',
    codeLabel: 'Código',
    copyCode: 'Copiar código',
    newCode: 'Código nuevo',
    opening: 'Obteniendo un código',
    add: 'Añadir',
    addFiles: 'Archivos',
    addFolder: 'Carpeta',
    addText: 'Texto',
    contents: 'Contenido compartido',
    showContents: 'Contenido',
    counting: 'Contando archivos',
    stillCounting: 'aún contando',
    sharedNow: 'compartido ahora mismo',
    preparing: 'Preparando',
    waiting: 'Esperando a que alguien introduzca el código',
    moreCanJoin: 'Otras personas pueden unirse después con el mismo código.',
    noOneJoined: 'nadie se ha unido',
    codeName: (code) => `Código ${spelledCode(code)}. Copiar`,
    sharedAgo: (duration) => `compartido hace ${duration}`,
    people,
  },
  receivers: {
    title: 'Destinatarios',
    count: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} destinatario`,
        other: `${formatCount(count)} destinatarios`,
      }),
    totalSpeed: (rate) => `${rate} en total`,
    disconnect: (name) => `Desconectar a ${person(name)}`,
    reviewing: 'revisa tus archivos',
    via: (relay) => `mediante ${relay}`,
  },
  preview: {
    title: ({ name, files: count }) => `${person(name)} quiere enviarte ${files(count)}`,
    titleOfText: ({ name }) => `${person(name)} quiere enviarte un texto`,
    verifiedByCode: 'verificado con tu código',
    verifiedByNumber: 'verificado con el número que comparaste',
    choose: 'Elige qué recibir',
    saveTo: 'Guardar en',
    checking: 'Comprobando la carpeta',
    moreOptions: 'Más opciones',
    nothingYet: 'No se guarda nada hasta que aceptes.',
    decline: 'Rechazar',
    skipped: 'Omitidos',
    filesWanted: ({ files: count, totalFiles }) => `${formatCount(count)} de ${files(totalFiles)}`,
    needed: (bytes) => `se necesitan ${formatBytes(bytes)}`,
    freeAfter: (bytes) => `quedarán ${formatBytes(bytes)} libres`,
    receive: (bytes) => `Recibir ${formatBytes(bytes)}`,
    policies: {
      'update-unchanged': 'Actualizar si no cambió aquí',
      'keep-both': 'Conservar ambos',
      replace: 'Reemplazar',
      update: 'Reemplazar lo que cambió',
      'replace-older': 'Reemplazar antiguos',
      skip: 'Omitir',
    },
  },
  receive: {
    from: (name) => `de ${person(name)}`,
    fromTo: ({ name, directory }) => `De ${person(name)} a ${directory}`,
    figures: { received: 'recibido', speed: 'velocidad actual', left: 'restante' },
  },
  interrupted: {
    title: 'Interrumpido',
    about: 'Se conserva lo que ya has recibido.',
    enterCode: 'Introducir código',
  },
  result: {
    averageSpeed: 'Velocidad media',
    files: 'Archivos',
    received: 'Recibido',
    time: 'Tiempo',
    route: 'Ruta',
    savedTo: 'Guardado en',
  },
}
