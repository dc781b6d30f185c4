/** A preview in Spanish: states and the errors that people meet, and English for the rest. */
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'
import { fixed, named } from '#shared/text/error-text'

export const spanish: Translation<SharedText> = {
  states: {
    preparing: 'Preparando',
    waiting: 'En espera',
    waitingForYou: 'Esperando tu decisión',
    connecting: 'Conectando',
    reconnecting: 'Reconectando',
    reconnected: 'Reconectado',
    deciding: 'Decidiendo',
    sending: 'Enviando',
    receiving: 'Recibiendo',
    transferring: 'Transfiriendo',
    finishing: 'Terminando',
    paused: 'En pausa por ti',
    pausedByPeer: 'En pausa por la otra parte',
    interrupted: 'Interrumpido',
    verified: 'Recibido y verificado',
    stopped: 'Detenido',
    stoppedByPeer: 'Detenido por la otra parte',
    declined: 'Rechazado',
    canceled: 'Cancelado',
    failed: 'Error',
  },
  stalls: {
    network: 'no pasan datos',
    peer: 'el otro equipo no responde',
    'no-route': 'aún sin conexión, reintentando',
    limit: 'frenado por un límite de velocidad',
  },
  badCodes: {
    notACode: {
      what: 'Esto no es un código.',
      remedy: 'Escríbelo así: 4821-apple-kayak-onion, un número y tres palabras.',
    },
  },
  errors: {
    E_SERVER_UNREACHABLE: named(
      (subject) => `El servidor ${subject} no responde.`,
      'El servidor no responde.',
      'Comprueba la red de este equipo y la dirección del servidor en los ajustes.',
    ),
    E_NO_SUCH_CODE: fixed(
      'No hay nada compartido con este número.',
      'Compruébalo con quien envía: puede que ya haya terminado.',
    ),
    E_CODE_MISMATCH: fixed(
      'Las palabras del código no coinciden.',
      'Comprueba cada palabra con quien envía y vuelve a introducir el código.',
    ),
    E_OWN_CODE: fixed('Esto lo compartes tú.', 'Introduce el código en el equipo que recibe.'),
    E_NO_ROUTE: fixed(
      'No se pudo conectar con el otro equipo: una red bloquea las conexiones directas.',
      'Añade un relé en los ajustes o conecta ambos equipos a la misma red.',
    ),
    E_PEER_GONE: fixed(
      'El otro equipo ha dejado de responder.',
      'Comprueba que está encendido y conectado y vuelve a empezar: se conservan los archivos terminados.',
    ),
    E_DISK_FULL: fixed(
      'No hay espacio suficiente en el disco.',
      'Libera espacio o elige una carpeta en otro disco; se conservan los archivos terminados.',
    ),
    E_STOPPED: fixed(
      'La otra parte ha detenido la transferencia.',
      'Pide un código nuevo para reanudar: se conservan los archivos terminados.',
    ),
    E_CANCELLED: fixed(
      'La transferencia se ha cancelado.',
      'Empiézala de nuevo cuando quieras: se conservan los archivos terminados.',
    ),
    E_DECLINED: fixed(
      'Has rechazado la oferta.',
      'Vuelve a introducir el código si quieres recibirla.',
    ),
  },
}
