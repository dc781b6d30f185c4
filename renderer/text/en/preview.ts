/** Texts of an offer and of the choices before it is received. */
import { formatBytes, formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'
import { person } from './person'

type Wanted = { readonly files: number; readonly totalFiles: number }

/** The size and the time of modification of a file. */
type Version = { readonly bytes: number; readonly date: string }

export const previewText = {
  title: ({ name, files }: { readonly name: string; readonly files: number }) =>
    plural(files, {
      one: `${person(name)} wants to send you ${formatCount(files)} file`,
      other: `${person(name)} wants to send you ${formatCount(files)} files`,
    }),
  titleOfText: ({ name, texts }: { readonly name: string; readonly texts: number }) =>
    plural(texts, {
      one: `${person(name)} sends you a text`,
      other: `${person(name)} sends you ${formatCount(texts)} texts`,
    }),
  verifiedByCode: 'verified with your code',
  verifiedByNumber: 'verified with the number you compared',
  verifiedByContact: 'from your contact, identity verified',

  choose: 'Choose what to receive',
  filesWanted: ({ files, totalFiles }: Wanted) =>
    plural(totalFiles, {
      one: `${formatCount(files)} of ${formatCount(totalFiles)} file`,
      other: `${formatCount(files)} of ${formatCount(totalFiles)} files`,
    }),
  showMore: (count: number) => `Show ${formatCount(count)} more`,
  differs: 'different version here',
  rename: {
    action: 'Rename (F2)',
    label: (item: string) => `New name for ${item}`,
    problems: {
      empty: 'Enter a name.',
      separator: "A name can't contain a slash.",
      dots: 'Choose another name.',
      long: 'Choose a shorter name.',
      taken: 'Another item has this name.',
    },
  },
  previousSelection: 'Using your previous selection.',
  chooseAgain: 'Choose again',
  tooManySelections: 'Too many separate selections. Select whole folders instead.',

  saveTo: 'Save to',
  checking: 'Checking the folder',
  needed: (bytes: number) => `${formatBytes(bytes)} needed`,
  freeAfter: (bytes: number) => `${formatBytes(bytes)} free afterward`,
  short: (bytes: number) => `free up ${formatBytes(bytes)} first`,
  alreadyReceived: (bytes: number) => `${formatBytes(bytes)} already received`,
  cautions: {
    home: 'This is your home folder or a folder above it. A separate folder is safer.',
    'start-up': 'Programs in this folder, or in one inside it, start when you log in.',
    programs: 'Programs are started from this folder.',
    settings: 'Programs read their settings from this folder.',
    'hidden-names': 'Some names start with a dot. They are hidden, and some programs act on them.',
  },

  existing: (files: number) =>
    plural(files, {
      one: `${formatCount(files)} file already exists`,
      other: `${formatCount(files)} files already exist`,
    }),
  identical: ({ files, bytes }: { readonly files: number; readonly bytes: number }) =>
    plural(files, {
      one: `${formatCount(files)} looks identical (${formatBytes(bytes)})`,
      other: `${formatCount(files)} look identical (${formatBytes(bytes)})`,
    }),
  skipped: 'Skipped',
  different: (files: number) =>
    plural(files, {
      one: `${formatCount(files)} is different`,
      other: `${formatCount(files)} are different`,
    }),
  updated: ({ files, bytes }: { readonly files: number; readonly bytes: number }) =>
    plural(files, {
      one: `${formatCount(files)} file will be updated (at most ${formatBytes(bytes)})`,
      other: `${formatCount(files)} files will be updated (at most ${formatBytes(bytes)})`,
    }),
  policy: 'If a different file already exists',
  follow: 'Keep receiving changes',
  followAbout: 'Your own changes to these files are replaced.',
  deletions: 'Remove files that the sender deletes',
  deletionsAbout: 'They go to the folder .thru-removed. Files that you changed stay.',
  policies: {
    'update-unchanged': 'Update if unchanged',
    'keep-both': 'Keep both',
    replace: 'Replace',
    update: 'Replace changed parts',
    'replace-older': 'Replace older',
    skip: 'Skip',
  },
  each: {
    open: 'Decide for each file',
    title: 'What happens to each file',
    here: ({ bytes, date }: Version) => `here ${formatBytes(bytes)}, ${date}`,
    offered: ({ bytes, date }: Version) => `offered ${formatBytes(bytes)}, ${date}`,
    newer: 'newer',
    decided: (files: number) =>
      plural(files, {
        one: `${formatCount(files)} decided separately`,
        other: `${formatCount(files)} decided separately`,
      }),
    unlisted: (files: number) =>
      plural(files, {
        one: `${formatCount(files)} more file isn't listed and follows the choice for all.`,
        other: `${formatCount(files)} more files aren't listed and follow the choice for all.`,
      }),
  },
  changedNames: (count: number) =>
    plural(count, {
      one: `${formatCount(count)} name will be changed`,
      other: `${formatCount(count)} names will be changed`,
    }),
  tooLarge: (count: number) =>
    plural(count, {
      one: `${formatCount(count)} file is too large for this disk`,
      other: `${formatCount(count)} files are too large for this disk`,
    }),

  moreOptions: 'More options',
  options: {
    verify: 'Verify files after writing',
    compareContent: 'Compare file contents (slower)',
    keepTimes: 'Keep original file times',
    makeEmptyFolders: 'Create empty folders',
    portableNames: 'Use names that work on every system',
  },

  nothingYet: 'Nothing is saved until you accept.',
  decline: 'Decline',
  later: 'Later',
  show: 'Show',
  receive: (bytes: number) => `Receive ${formatBytes(bytes)}`,
} as const
