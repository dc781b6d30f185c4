/** Texts of a share: its code, its contents, and its receivers. */
import { formatBytes, formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'
import { spelledCode } from '../names'
import { person } from './person'

type Finished = { readonly finished: number; readonly people: number }

function peopleFinished({ finished, people }: Finished): string {
  if (finished === 0) return 'no one has finished'
  return finished === people
    ? plural(people, {
        one: `${formatCount(people)} person has finished`,
        other: `${formatCount(people)} people have finished`,
      })
    : plural(finished, {
        one: `${formatCount(finished)} of ${formatCount(people)} people has finished`,
        other: `${formatCount(finished)} of ${formatCount(people)} people have finished`,
      })
}

export const shareText = {
  /** The reach of a code. */
  reach: {
    anywhere: (server: string) => `The code works from any network that reaches ${server}.`,
    met: 'Found through public meeting points.',
    noServer: {
      network: 'The code works on this network only. To reach people elsewhere, add a server.',
      computer: 'The code works on this computer only. To reach other people, add a server.',
    },
    addServer: 'Add a server',
  },

  nextShare: {
    button: 'Options',
    changed: (choices: number) => `Options (${formatCount(choices)})`,
    title: 'For the next share',
    exclude: 'Leave out',
    excludeExample: 'drafts, *.tmp',
    alsoExcluded: (patterns: string) => `The settings also leave out ${patterns}`,
    gitignore: 'Skip files listed in .gitignore',
    reset: 'Reset to settings',
  },

  share: {
    stop: 'Stop sharing',
    stopping: 'Stopping',
    again: 'Share again',
    more: 'More',
    codeHint: 'Join code. Read it out loud, or click to copy it.',
    requestedNow: 'requested just now',
    requestedAgo: (age: string) => `requested ${age} ago`,
    requestHint: 'Anyone who enters this code can send you files.',
    requestWaiting: 'Waiting for someone to send files',
    requestAbout: 'You see each offer before anything is saved.',
    requestEnded: 'no longer accepts files',
    stopRequest: 'Stop request',
    answering: (code: string) => `Sending to ${code}`,
    answerAbout: 'They decide whether to receive it.',
    codeLabel: 'Join code',
    codeName: (code: string) => `Join code ${spelledCode(code)}. Copy`,
    copyCode: 'Copy code',
    newCode: 'New code',
    chooseWords: 'Choose words…',
    ownWords: 'Words of the new code',
    ownWordsExample: 'apple-kayak-onion',
    ownWordsAbout:
      'Words you choose are easier to guess than random ones. Thruflux still counts wrong guesses, and locks the code when there are too many.',
    opening: 'Getting a code',
    add: 'Add',
    addFiles: 'Files',
    addFolder: 'Folder',
    addText: 'Text',
    contents: 'In this share',
    showContents: 'Contents',
    remove: (name: string) => `Remove ${name}`,
    unsendable: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} item can't be sent`,
        other: `${formatCount(count)} items can't be sent`,
      }),
    followed: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} link leads out of this share, and is followed`,
        other: `${formatCount(count)} links lead out of this share, and are followed`,
      }),

    counting: 'Counting files',
    stillCounting: 'still counting',
    sharedAgo: (duration: string) => `shared ${duration} ago`,
    sharedNow: 'shared just now',
    /** After a restart of the app. */
    resumedNow: 'resumed just now',
    resumedAgo: (duration: string) => `resumed ${duration} ago`,
    textsGone: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} text is no longer shared`,
        other: `${formatCount(count)} texts are no longer shared`,
      }),
    noNewReceivers: 'no new receivers',
    excluded: (entries: number) =>
      plural(entries, {
        one: `${formatCount(entries)} item left out`,
        other: `${formatCount(entries)} items left out`,
      }),

    preparing: 'Preparing',
    codeFollows: "You'll get the code when the server responds.",
    waiting: 'Waiting for someone to enter the code',
    moreCanJoin: 'More people can join later with the same code.',
    reconnecting: 'Reconnecting to the server',
    reconnectingAbout: 'Current transfers continue. New people have to wait.',
    transfersContinue: 'current transfers continue',
    newPeopleWait: 'new people have to wait',

    people: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} person`,
        other: `${formatCount(count)} people`,
      }),
    peopleFinished,
    noOneJoined: 'no one joined',

    oneReceiver: 'One receiver only',
    oneReceiverAbout: 'The code stops working once someone has joined.',
    approve: 'Ask before anyone receives',
    approveAbout: 'You let each person in before they see anything.',
    watch: 'Keep up to date',
    watchAbout:
      'Receivers can get files again when they change here. Changes there are never sent back.',
    expires: 'Code expires',
    expiresIn: (duration: string) => `In ${duration}. Current transfers continue after that.`,
    unchanged: 'Unchanged',
    lives: { '10min': '10 minutes from now', '1h': '1 hour from now', '24h': '24 hours from now' },
    codeEndsIn: (duration: string) => `code expires in ${duration}`,

    maxReceivers: 'Maximum receivers',
    acceptNew: 'Accept new receivers',
    acceptNewAbout: "People already connected aren't affected.",
  },

  receivers: {
    title: 'Receivers',
    count: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} receiver`,
        other: `${formatCount(count)} receivers`,
      }),
    totalSpeed: (rate: string) => `${rate} total`,
    ends: (count: number) =>
      plural(count, {
        one: `joined ${formatCount(count)} time`,
        other: `joined ${formatCount(count)} times`,
      }),
    disconnect: (name: string) => `Disconnect ${person(name)}`,
    files: ({ name, isOpen }: { readonly name: string; readonly isOpen: boolean }) =>
      isOpen ? `Hide files of ${person(name)}` : `Show files of ${person(name)}`,
    asks: ({ name, title }: { readonly name: string; readonly title: string }) =>
      `${person(name)} wants to receive ${title}`,
    compareSafety: "compare it by voice if you aren't sure who this is",
    safety: (number: string) => `Safety number ${number}`,
    letIn: 'Let in',
    refuse: 'Refuse',
    inBrowser: 'in a browser',
    reviewing: 'reviewing your files',
    resumesWhenBack: 'resumes if they reconnect',
    via: (relay: string) => `via ${relay}`,
    amountIn: ({ bytes, duration }: { readonly bytes: number; readonly duration: string }) =>
      `${formatBytes(bytes)} in ${duration}`,
  },
} as const
