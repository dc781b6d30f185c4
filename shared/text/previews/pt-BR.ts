/** A preview in Brazilian Portuguese: states and the errors that people meet, and English for the rest. */
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'
import { fixed, named } from '#shared/text/error-text'

export const brazilian: Translation<SharedText> = {
  states: {
    preparing: 'Preparando',
    waiting: 'Aguardando',
    waitingForYou: 'Aguardando você',
    connecting: 'Conectando',
    reconnecting: 'Reconectando',
    reconnected: 'Reconectado',
    deciding: 'Decidindo',
    sending: 'Enviando',
    receiving: 'Recebendo',
    transferring: 'Transferindo',
    finishing: 'Finalizando',
    paused: 'Pausado por você',
    pausedByPeer: 'Pausado pelo outro lado',
    interrupted: 'Interrompido',
    verified: 'Recebido e verificado',
    stopped: 'Parado',
    stoppedByPeer: 'Parado pelo outro lado',
    declined: 'Recusado',
    canceled: 'Cancelado',
    failed: 'Falhou',
  },
  stalls: {
    network: 'nenhum dado está passando',
    peer: 'o outro computador não responde',
    'no-route': 'ainda sem conexão, tentando de novo',
    limit: 'limitado pela velocidade máxima',
  },
  badCodes: {
    notACode: {
      what: 'Isto não é um código.',
      remedy: 'Digite assim: 4821-apple-kayak-onion, um número e três palavras.',
    },
  },
  errors: {
    E_SERVER_UNREACHABLE: named(
      (subject) => `O servidor ${subject} não responde.`,
      'O servidor não responde.',
      'Confira a rede deste computador e o endereço do servidor nas configurações.',
    ),
    E_NO_SUCH_CODE: fixed(
      'Nenhum compartilhamento aberto tem este número.',
      'Confira com quem envia: o compartilhamento pode ter terminado.',
    ),
    E_CODE_MISMATCH: fixed(
      'As palavras do código não combinam com este compartilhamento.',
      'Confira cada palavra com quem envia e digite o código de novo.',
    ),
    E_OWN_CODE: fixed('Este compartilhamento é seu.', 'Digite o código no computador que recebe.'),
    E_NO_ROUTE: fixed(
      'Não foi possível conectar ao outro computador: uma rede bloqueia conexões diretas.',
      'Adicione um relay nas configurações ou conecte os dois computadores à mesma rede.',
    ),
    E_PEER_GONE: fixed(
      'O outro computador parou de responder.',
      'Veja se ele está ligado e conectado e comece de novo: os arquivos concluídos são mantidos.',
    ),
    E_DISK_FULL: fixed(
      'Não há espaço suficiente no disco.',
      'Libere espaço ou escolha uma pasta em outro disco; os arquivos concluídos são mantidos.',
    ),
    E_STOPPED: fixed(
      'O outro lado parou a transferência.',
      'Peça um novo código para retomar: os arquivos concluídos são mantidos.',
    ),
    E_CANCELLED: fixed(
      'A transferência foi cancelada.',
      'Comece de novo quando quiser: os arquivos concluídos são mantidos.',
    ),
    E_DECLINED: fixed('Você recusou a oferta.', 'Digite o código de novo se quiser receber.'),
  },
}
