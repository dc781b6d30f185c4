import type { SkippedRule } from './test-case.ts'

const minutes = "takes minutes of the server's time"
const configured = 'needs as many as the server is configured for'
const clients = 'needs clients at several addresses'

/** Rules that a client can't observe, or only by causing harm. */
export const skipped: readonly SkippedRule[] = [
  { rule: 'transport-9', says: 'too many sockets in all: 503', reason: configured },
  {
    rule: 'transport-10',
    says: 'a request from a proxy that names no address gets 400',
    reason: 'only a trusted proxy can send it',
  },
  { rule: 'join-9', says: 'more joiners than the server allows', reason: configured },
  { rule: 'join-11', says: 'places for joiners with a pass', reason: configured },
  { rule: 'join-10', says: 'more than 64 waiting joiners', reason: 'needs 65 passes' },
  {
    rule: 'turn-2',
    says: "the credential is derived from the TURN server's secret",
    reason: 'needs the secret',
  },
  {
    rule: 'welcome-3',
    says: 'a new server key at least every hour',
    reason: 'takes an hour',
  },
  { rule: 'life-1', says: 'an absent nameplate rests after ten minutes', reason: minutes },
  { rule: 'life-2', says: 'a resting nameplate is free after 24 h', reason: 'takes a day' },
  { rule: 'life-3', says: 'after ttlS: 4003', reason: minutes },
  {
    rule: 'life-4',
    says: 'nameplates of 4 digits first',
    reason: 'needs the number of assigned ones',
  },
  { rule: 'closing-6', says: 'a joiner without a grant for two minutes: 4003', reason: minutes },
  { rule: 'closing-4', says: 'a server that ends: 1001', reason: 'the server keeps running' },
  {
    rule: 'closing-5',
    says: "a socket whose client doesn't answer a close is cut",
    reason: "can't be told from a client's own end",
  },
  {
    rule: 'limits-12',
    says: 'total of waiting bytes',
    reason: "needs much of the server's memory",
  },
  { rule: 'limits-10', says: 'limits of networks and in total', reason: clients },
  { rule: 'limits-11', says: 'the reserve for owners and passes', reason: configured },
  {
    rule: 'lan-1',
    says: 'guests of the local network',
    reason: 'only for the server inside an app',
  },
]
