/** Texts about nearby computers. */
import { person } from './person'

export const nearbyText = {
  title: 'On this network',
  near: 'Nearby',
  number: (number: string) => `Number ${number}`,
  compare: 'does the other screen show the same number?',
  compareHere: "compare it with the sender's screen",
  senderCompares: 'waiting for the sender to confirm it',
  sameNumber: 'Yes, send',
  otherNumber: 'No',
  calls: {
    calling: 'Connecting',
    asked: 'Asked',
    confirmed: 'No answer yet',
    accepted: 'Accepted',
    joining: 'Connecting',
    declined: 'Declined',
    busy: 'Has too many open questions',
    refused: "Isn't accepting files right now",
    gone: "Doesn't answer",
    differs: 'Nothing was sent, because the numbers differ',
  },
  asks: (name: string) => `${person(name)} wants to send you files`,
  unnamedOffer: 'From a nearby computer',
  view: 'View',
  decline: 'Decline',
} as const
