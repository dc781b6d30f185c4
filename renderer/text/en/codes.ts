/** Texts about codes and links where they are entered and shown. */

export const codeText = {
  codeField: {
    label: 'Have a code? Type or paste it here.',
    name: 'Join code',
    placeholder: 'Enter a code',
    example: '4821-apple-kayak-onion',
    join: 'Join',
    resumes: (title: string) => `Enter the code again to resume ${title}.`,
    startOver: 'Start over instead',
    fromLink: 'This code came from a link. Press Enter to join.',
    wrongWord: (word: string) => `"${word}" isn't a join-code word.`,
    checkWord: 'Check it with the sender.',
    didYouMean: 'Did you mean',
    suggestions: 'Suggested words',
  },

  joinLink: {
    open: 'QR code',
    title: 'Join link',
    picture: 'QR code of the join link',
    about: 'Opens Thruflux with this code filled in.',
    copy: 'Copy link',
  },
} as const
