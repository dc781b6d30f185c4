/** Texts of home, the list of transfers, and the buttons that share something new. */
import { formatBytes, formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'

export const homeText = {
  home: {
    title: 'Drop files anywhere',
    about:
      'You get a join code right away. Anyone who enters it can receive the files from this computer.',
    send: 'Send',
    receive: 'Receive',
    chooseFiles: 'Choose files',
    chooseFolder: 'Choose folder',
    sendText: 'Send text',
    request: 'Request files',
    firstTime: 'Open Thruflux on both computers: one shares, the other enters the code.',
  },

  transfers: {
    title: 'Transfers',
    dropMore: 'Drop more files anywhere.',
    clearFinished: 'Clear finished',
    clearing: (count: number) =>
      plural(count, {
        one: 'Clearing 1 finished transfer',
        other: `Clearing ${formatCount(count)} finished transfers`,
      }),
    filesStay: 'Files stay where they are.',
  },

  drop: {
    title: 'Drop to share',
    about: "You'll get a join code right away.",
    aboutItems: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} item. You'll get a join code right away.`,
        other: `${formatCount(count)} items. You'll get a join code right away.`,
      }),
    orAdd: 'Or drop on an open share to add to it.',
    outside: 'New share: drop outside of the card',
    addTo: (title: string) => `Drop to add to ${title}`,
  },

  meetingSheet: {
    title: 'Reach computers outside of this network?',
    about:
      'Thruflux can use public meeting points that others run. They see your internet address and when you connect, never a file, a name or a word of the code. A service of Cloudflare tells your computer its own address.',
    later: 'You can change this in Settings > Network.',
    use: 'Use them',
    refuse: 'Only this network',
  },

  textSheet: {
    title: 'Send text',
    about: 'Receivers see it on screen and can save it.',
    name: 'Text',
    placeholder: 'Type or paste text',
    tooLong: ({ bytes, maxBytes }: { readonly bytes: number; readonly maxBytes: number }) =>
      `This text is ${formatBytes(bytes)}, and the limit is ${formatBytes(maxBytes)}. Share it as a file instead.`,
    share: 'Share',
    add: 'Add',
  },
  pastedImage: {
    tooLarge: ({ bytes, maxBytes }: { readonly bytes: number; readonly maxBytes: number }) =>
      `This image is ${formatBytes(bytes)}, and the limit for pasting is ${formatBytes(maxBytes)}. Save it and share the file instead.`,
  },
} as const
