/** A preview in Italian: states and the errors that people meet, and English for the rest. */
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'
import { fixed, named } from '#shared/text/error-text'

export const italian: Translation<SharedText> = {
  states: {
    preparing: 'Preparazione',
    waiting: 'In attesa',
    waitingForYou: 'In attesa della tua scelta',
    connecting: 'Connessione',
    reconnecting: 'Riconnessione',
    reconnected: 'Riconnesso',
    deciding: 'Sta decidendo',
    sending: 'Invio',
    receiving: 'Ricezione',
    transferring: 'Trasferimento',
    finishing: 'Completamento',
    paused: 'In pausa da te',
    pausedByPeer: 'In pausa dall’altra parte',
    interrupted: 'Interrotto',
    verified: 'Ricevuto e verificato',
    stopped: 'Terminato',
    stoppedByPeer: 'Terminato dall’altra parte',
    declined: 'Rifiutato',
    canceled: 'Annullato',
    failed: 'Non riuscito',
  },
  stalls: {
    network: 'non passano dati',
    peer: 'l’altro computer non risponde',
    'no-route': 'ancora nessuna connessione, nuovo tentativo',
    limit: 'rallentato da un limite di velocità',
  },
  badCodes: {
    notACode: {
      what: 'Questo non è un codice.',
      remedy: 'Inseriscilo così: 4821-apple-kayak-onion, un numero e tre parole.',
    },
  },
  errors: {
    E_SERVER_UNREACHABLE: named(
      (subject) => `Il server ${subject} non risponde.`,
      'Il server non risponde.',
      'Controlla la rete di questo computer e l’indirizzo del server nelle impostazioni.',
    ),
    E_NO_SUCH_CODE: fixed(
      'Nessuna condivisione aperta ha questo numero.',
      'Controlla con chi invia: forse la condivisione è terminata.',
    ),
    E_CODE_MISMATCH: fixed(
      'Le parole del codice non corrispondono a questa condivisione.',
      'Controlla ogni parola con chi invia e inserisci di nuovo il codice.',
    ),
    E_OWN_CODE: fixed(
      'Questa è la tua condivisione.',
      'Inserisci il codice sul computer che riceve.',
    ),
    E_NO_ROUTE: fixed(
      'Impossibile collegarsi all’altro computer: una rete blocca le connessioni dirette.',
      'Aggiungi un relay nelle impostazioni o collega entrambi i computer alla stessa rete.',
    ),
    E_PEER_GONE: fixed(
      'L’altro computer non risponde più.',
      'Controlla che sia acceso e connesso, poi ricomincia: i file completi vengono conservati.',
    ),
    E_DISK_FULL: fixed(
      'Non c’è abbastanza spazio su disco.',
      'Libera spazio o scegli una cartella su un altro disco; i file completi vengono conservati.',
    ),
    E_STOPPED: fixed(
      'L’altra parte ha interrotto il trasferimento.',
      'Chiedi un nuovo codice per riprendere: i file completi vengono conservati.',
    ),
    E_CANCELLED: fixed(
      'Il trasferimento è stato annullato.',
      'Ricomincia quando vuoi: i file completi vengono conservati.',
    ),
    E_DECLINED: fixed(
      'Hai rifiutato l’offerta.',
      'Inserisci di nuovo il codice se vuoi riceverla.',
    ),
  },
}
