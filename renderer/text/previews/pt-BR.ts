/** A preview in Brazilian Portuguese: the main screens, and English for the rest. */
import { formatBytes, formatBytesOf, formatCount } from '#shared/format/format'
import { pluralOf } from '#shared/format/plural'
import type { Translation } from '#shared/text/catalogue'
import type { Catalogue } from '../catalogue'
import { isolated, spelledCode } from '../names'

const plural = pluralOf('pt-BR')

const person = (name: string): string => (name === '' ? 'Alguém' : isolated(name))

const files = (count: number) =>
  plural(count, { one: `${formatCount(count)} arquivo`, other: `${formatCount(count)} arquivos` })

const people = (count: number) =>
  plural(count, { one: `${formatCount(count)} pessoa`, other: `${formatCount(count)} pessoas` })

export const brazilian: Translation<Catalogue> = {
  person,
  actions: {
    cancel: 'Cancelar',
    change: 'Alterar',
    close: 'Fechar',
    collapse: 'Recolher',
    copied: 'Copiado',
    copy: 'Copiar',
    delete: 'Excluir',
    done: 'Concluído',
    expand: 'Expandir',
    pause: 'Pausar',
    pauseAll: 'Pausar tudo',
    resume: 'Retomar',
    save: 'Salvar',
    showFolder: 'Mostrar na pasta',
    tryAgain: 'Tentar de novo',
  },
  lists: { files, more: (count) => `e mais ${formatCount(count)}` },
  progress: {
    timeLeft: (duration) => `faltam ${duration}`,
    received: ({ bytes, totalBytes }) => `${formatBytesOf(bytes, totalBytes)} recebidos`,
    tryingDirect: 'tentando uma conexão direta',
  },
  route: {
    local: 'Rede local',
    direct: 'Direta',
    directIpv6: 'Direta, IPv6',
    directTcp: 'Direta, TCP',
    relayed: 'Por relay',
    relayedTcp: 'Por relay, TCP',
    serverRelay: 'Pelo servidor',
  },
  server: {
    idle: 'Pronto',
    embedded: 'Pronto neste computador',
    connected: (host) => `Pronto via ${host}`,
    unreachable: (host) => `${host} não responde`,
  },
  home: {
    title: 'Solte arquivos em qualquer lugar',
    about:
      'Você recebe um código na hora. Quem digitar o código recebe os arquivos deste computador.',
    send: 'Enviar',
    receive: 'Receber',
    chooseFiles: 'Escolher arquivos',
    chooseFolder: 'Escolher pasta',
    sendText: 'Enviar texto',
    firstTime: 'Abra o Thruflux nos dois computadores: um compartilha, o outro digita o código.',
  },
  transfers: { title: 'Transferências', dropMore: 'Solte mais arquivos em qualquer lugar.' },
  drop: {
    title: 'Solte para compartilhar',
    about: 'Você recebe um código na hora.',
    orAdd: 'Ou solte sobre um compartilhamento aberto para adicionar a ele.',
  },
  codeField: {
    label: 'Tem um código? Digite ou cole aqui.',
    name: 'Código',
    placeholder: 'Digite um código',
    join: 'Entrar',
    wrongWord: (word) => `"${word}" não é uma palavra dos códigos.`,
    checkWord: 'Confira com quem envia.',
    didYouMean: 'Você quis dizer',
    suggestions: 'Palavras sugeridas',
  },
  joinLink: { open: 'Código QR', title: 'Link', picture: 'Código QR do link', copy: 'Copiar link' },
  share: {
    stop: 'Parar de compartilhar',
    more: 'Mais',
    codeHint: 'Seu código. Leia em voz alta ou clique para copiar.',
    codeLabel: 'Código',
    copyCode: 'Copiar código',
    newCode: 'Novo código',
    opening: 'Obtendo um código',
    add: 'Adicionar',
    addFiles: 'Arquivos',
    addFolder: 'Pasta',
    addText: 'Texto',
    contents: 'Neste compartilhamento',
    showContents: 'Conteúdo',
    counting: 'Contando arquivos',
    stillCounting: 'ainda contando',
    sharedNow: 'compartilhado agora',
    preparing: 'Preparando',
    waiting: 'Aguardando alguém digitar o código',
    moreCanJoin: 'Outras pessoas podem entrar depois com o mesmo código.',
    noOneJoined: 'ninguém entrou',
    codeName: (code) => `Código ${spelledCode(code)}. Copiar`,
    sharedAgo: (duration) => `compartilhado há ${duration}`,
    people,
  },
  receivers: {
    title: 'Destinatários',
    count: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} destinatário`,
        other: `${formatCount(count)} destinatários`,
      }),
    totalSpeed: (rate) => `${rate} no total`,
    disconnect: (name) => `Desconectar ${person(name)}`,
    reviewing: 'está vendo seus arquivos',
    via: (relay) => `via ${relay}`,
  },
  preview: {
    title: ({ name, files: count }) => `${person(name)} quer enviar ${files(count)} para você`,
    titleOfText: ({ name }) => `${person(name)} quer enviar um texto para você`,
    verifiedByCode: 'verificado com seu código',
    verifiedByNumber: 'verificado com o número comparado',
    choose: 'Escolha o que receber',
    saveTo: 'Salvar em',
    checking: 'Verificando a pasta',
    moreOptions: 'Mais opções',
    nothingYet: 'Nada é salvo até você aceitar.',
    decline: 'Recusar',
    skipped: 'Ignorados',
    filesWanted: ({ files: count, totalFiles }) => `${formatCount(count)} de ${files(totalFiles)}`,
    needed: (bytes) => `${formatBytes(bytes)} necessários`,
    freeAfter: (bytes) => `${formatBytes(bytes)} livres depois`,
    receive: (bytes) => `Receber ${formatBytes(bytes)}`,
    policies: {
      'update-unchanged': 'Atualizar se não mudou aqui',
      'keep-both': 'Manter ambos',
      replace: 'Substituir',
      update: 'Substituir o que mudou',
      'replace-older': 'Substituir mais antigos',
      skip: 'Ignorar',
    },
  },
  receive: {
    from: (name) => `de ${person(name)}`,
    fromTo: ({ name, directory }) => `De ${person(name)} para ${directory}`,
    figures: { received: 'recebidos', speed: 'velocidade atual', left: 'restante' },
  },
  interrupted: {
    title: 'Interrompido',
    about: 'O que você já recebeu fica guardado.',
    enterCode: 'Digitar código',
  },
  result: {
    averageSpeed: 'Velocidade média',
    files: 'Arquivos',
    received: 'Recebidos',
    time: 'Tempo',
    route: 'Rota',
    savedTo: 'Salvo em',
  },
}
