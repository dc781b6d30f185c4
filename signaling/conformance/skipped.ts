import type { SkippedRule } from './test-case.ts'

const minutes = "takes minutes of the server's time"
const configured = 'would take as many as the server is configured for'
const clients = 'needs clients at several addresses'

/** Rules that a client can't observe, or only by causing harm. */
export const skipped: readonly SkippedRule[] = [
  { rule: 'transport-9', says: 'too many sockets in all: 503', reason: configured },
  {
    rule: 'transport-10',
    says: 'proxies that name no address are answered 400',
    reason: 'only a trusted proxy can ask for it',
  },
  { rule: 'join-9', says: 'more joiners than the server allows', reason: configured },
  { rule: 'join-11', says: 'places for those with a pass', reason: configured },
  { rule: 'join-10', says: 'more than 64 joiners that wait', reason: 'needs 65 passes' },
  {
    rule: 'turn-2',
    says: "the credential is made with the TURN server's secret",
    reason: 'needs the secret',
  },
  {
    rule: 'welcome-3',
    says: 'another key of the server at least every hour',
    reason: 'takes an hour',
  },
  { rule: 'life-1', says: 'an absent nameplate rests after ten minutes', reason: minutes },
  { rule: 'life-2', says: 'a resting nameplate is free after 24 h', reason: 'takes a day' },
  { rule: 'life-3', says: 'when ttlS is over: 4003', reason: minutes },
  {
    rule: 'life-4',
    says: 'nameplates of 4 digits first',
    reason: 'needs to know how many are taken',
  },
  { rule: 'closing-6', says: 'a joiner without a grant for two minutes: 4003', reason: minutes },
  { rule: 'closing-4', says: 'a server that ends: 1001', reason: 'the server goes on' },
  {
    rule: 'closing-5',
    says: "a socket whose client doesn't answer a close is cut",
    reason: "can't be told from a client's own end",
  },
  {
    rule: 'limits-12',
    says: 'bytes that wait in all',
    reason: "needs much of the server's memory",
  },
  { rule: 'limits-10', says: 'limits of networks and in all', reason: clients },
  { rule: 'limits-11', says: 'the reserve for owners and passes', reason: configured },
  {
    rule: 'lan-1',
    says: 'guests of the local network',
    reason: 'only of the server that an app has inside',
  },
]
