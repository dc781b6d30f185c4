/** Homes that are of no use: in words, and as a system answers that is asked for one. */
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
