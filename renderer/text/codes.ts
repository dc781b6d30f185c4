/** What is said about codes and links where they are entered and shown. */

export const codeFieldText = {
  label: 'Have a code? Type or paste it.',
  name: 'Join code',
  placeholder: 'Enter a code',
  example: '4821-apple-kayak-onion',
  join: 'Join',
  continues: (title: string) => `Enter the code again to continue ${title}`,
  startAfresh: 'Start afresh instead',
  fromLink: 'A link filled in this code. Enter joins it.',
  wrongWord: (word: string) => `"${word}" is no word of join codes.`,
  checkWord: 'Check it with the sender.',
  mayBe: 'It may be',
  words: 'Words that fit',
} as const

export const joinLinkText = {
  open: 'QR code',
  name: 'Join link',
  picture: 'QR code of the join link',
  about: 'Opens Thruflux with this code filled in.',
  copy: 'Copy link',
} as const
