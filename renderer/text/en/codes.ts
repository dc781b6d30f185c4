/** Texts about codes and links where people enter and see them. */

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
    fromLinkVia: (server: string) =>
      `This code came from a link and uses ${server}. Press Enter to join.`,
    useServer: 'Use it',
    newServer:
      "It helps the two computers find each other and can't read what they send. Use it if you trust whoever sent you the link.",
    newServerNearby:
      "It isn't on the internet, but on your own network or this computer. Use it only if you expected that from whoever sent you the link.",
    wrongWord: (word: string) => `"${word}" isn't a join-code word.`,
    checkWord: 'Check it with whoever gave you the code.',
    didYouMean: 'Did you mean',
    suggestions: 'Suggested words',
  },

  joinLink: {
    open: 'QR code',
    title: 'Join link',
    picture: 'QR code of the join link',
    about: 'For another computer with Thruflux: opens it with this code filled in.',
    aboutServer: (server: string) =>
      `For another computer with Thruflux: opens it with this code filled in, and finds yours through ${server}.`,
    copy: 'Copy link',
    copyWeb: 'Copy web link',
    copyPage: 'Copy link for a browser on this network',
    aboutWeb: (server: string) =>
      `Scan it with any phone, or send the web link: it opens in a browser through ${server}, also without Thruflux.`,
    aboutPage: 'Scan it with a phone on this network: it opens in a browser, without Thruflux.',
  },
} as const
