/** Sentences about codes that end, safety numbers, and what can be continued without a code. */
export const pairingText = {
  newCode: 'New code',
  safetyTitle: 'Safety number',
  safetyUse: 'Read it to each other: it is the same on both computers unless somebody is between.',
  wait: 'Check with the sender before you try again.',
  goOn: 'Continue',
} as const
