/** A preview in German: states and the errors that people meet, and English for the rest. */
import type { Translation } from '#shared/text/catalogue'
import type { SharedText } from '#shared/text/current'
import { fixed, named } from '#shared/text/error-text'

export const german: Translation<SharedText> = {
  states: {
    preparing: 'Wird vorbereitet',
    waiting: 'Wartet',
    waitingForYou: 'Wartet auf dich',
    connecting: 'Verbindet',
    reconnecting: 'Verbindet neu',
    reconnected: 'Neu verbunden',
    deciding: 'Entscheidet',
    sending: 'Sendet',
    receiving: 'Empfängt',
    transferring: 'Überträgt',
    finishing: 'Schließt ab',
    paused: 'Von dir pausiert',
    pausedByPeer: 'Von der Gegenseite pausiert',
    interrupted: 'Unterbrochen',
    verified: 'Empfangen und geprüft',
    stopped: 'Beendet',
    stoppedByPeer: 'Von der Gegenseite beendet',
    declined: 'Abgelehnt',
    canceled: 'Abgebrochen',
    failed: 'Fehlgeschlagen',
  },
  stalls: {
    network: 'es kommen keine Daten durch',
    peer: 'der andere Computer antwortet nicht',
    'no-route': 'noch keine Verbindung, neuer Versuch',
    limit: 'durch ein Tempolimit gebremst',
  },
  badCodes: {
    notACode: {
      what: 'Das ist kein Code.',
      remedy: 'Gib ihn so ein: 4821-apple-kayak-onion, eine Zahl und drei Wörter.',
    },
  },
  errors: {
    E_SERVER_UNREACHABLE: named(
      (subject) => `Der Server ${subject} antwortet nicht.`,
      'Der Server antwortet nicht.',
      'Prüfe das Netz dieses Computers und die Serveradresse in den Einstellungen.',
    ),
    E_NO_SUCH_CODE: fixed(
      'Zu dieser Nummer gibt es keine offene Freigabe.',
      'Frag beim Absender nach: Vielleicht wurde sie beendet.',
    ),
    E_CODE_MISMATCH: fixed(
      'Die Wörter des Codes passen nicht zu dieser Freigabe.',
      'Prüfe jedes Wort mit dem Absender und gib den Code erneut ein.',
    ),
    E_OWN_CODE: fixed(
      'Das ist deine eigene Freigabe.',
      'Gib den Code auf dem empfangenden Computer ein.',
    ),
    E_NO_ROUTE: fixed(
      'Keine Verbindung zum anderen Computer: Ein Netz blockiert direkte Verbindungen.',
      'Füge in den Einstellungen ein Relay hinzu oder verbinde beide Computer mit demselben Netz.',
    ),
    E_PEER_GONE: fixed(
      'Der andere Computer antwortet nicht mehr.',
      'Prüfe, ob er an und verbunden ist, und starte neu: Fertige Dateien bleiben.',
    ),
    E_DISK_FULL: fixed(
      'Der Speicherplatz reicht nicht.',
      'Schaffe Platz oder wähle einen Ordner auf einem anderen Laufwerk; fertige Dateien bleiben.',
    ),
    E_STOPPED: fixed(
      'Die Gegenseite hat die Übertragung beendet.',
      'Bitte um einen neuen Code, um fortzusetzen: Fertige Dateien bleiben.',
    ),
    E_CANCELLED: fixed(
      'Die Übertragung wurde abgebrochen.',
      'Starte sie neu, wann du willst: Fertige Dateien bleiben.',
    ),
    E_DECLINED: fixed(
      'Du hast das Angebot abgelehnt.',
      'Gib den Code erneut ein, wenn du es doch empfangen möchtest.',
    ),
  },
}
