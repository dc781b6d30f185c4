/** Unusable homes, each with a description and the system's answer. */
export const unknownHomes: readonly (readonly [what: string, ask: () => string])[] = [
  ['is empty', () => ''],
  ['is not absolute', () => 'home'],
  [
    'is not known to the system',
    () => {
      throw new Error('ENOENT')
    },
  ],
]
