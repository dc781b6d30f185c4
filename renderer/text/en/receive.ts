/** Texts of a receive: on its way, interrupted, finished. */
import { formatBytes, formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'
import { person } from './person'

type Source = { readonly title: string; readonly name: string }
type Saved = { readonly files: number; readonly totalFiles: number }

export const receiveText = {
  receive: {
    review: 'Review',
    from: (name: string) => `from ${person(name)}`,
    fromTo: ({ name, directory }: { readonly name: string; readonly directory: string }) =>
      `From ${person(name)} to ${directory}`,
    finding: 'finding the share',
    senderSeesSame: 'the sender sees the same one',
    readingList: 'reading the file list',
    filesSoFar: (files: number) =>
      plural(files, {
        one: `${formatCount(files)} file so far`,
        other: `${formatCount(files)} files so far`,
      }),
    checkingFolder: 'checking the folder',
    canceling: 'Canceling',
    nothingLost: 'nothing is lost',
    nothingSaved: 'nothing was saved',
    contents: 'In this transfer',
    /** Outcome for files that the sender deleted. */
    deletions: {
      moved: ({ files, folder }: { readonly files: number; readonly folder: string }) =>
        plural(files, {
          one: `${formatCount(files)} file that the sender deleted is in ${folder} now.`,
          other: `${formatCount(files)} files that the sender deleted are in ${folder} now.`,
        }),
      kept: (files: number) => `Deleted by the sender, but kept: ${formatCount(files)}`,
      why: {
        changed: 'was changed here',
        failed: "can't be moved",
        'item-gone': 'all of it is gone at the sender, perhaps because a disk is missing',
        incomplete: 'the sender could not read everything, so nothing counts as deleted',
      },
    },

    /** A figure, with its meaning below. */
    figures: {
      unknown: '–',
      received: 'received',
      receivedOf: (total: string) => `of ${total} received`,
      speed: 'current speed',
      filesSaved: 'files saved',
      filesSavedOf: (files: number) =>
        plural(files, {
          one: `of ${formatCount(files)} file saved`,
          other: `of ${formatCount(files)} files saved`,
        }),
      left: 'left',
    },
  },

  interrupted: {
    title: 'Interrupted',
    about: 'Everything you received so far is kept.',
    needsCode: 'enter the code again to resume',
    enterCode: 'Enter code',
    deletePartial: 'Delete partial files',
    deleteQuestion: (bytes: number) =>
      `Delete up to ${formatBytes(bytes)} of partial files? Finished files are kept.`,
    checkFirst: 'Check with the sender before you try again.',
  },

  result: {
    from: ({ title, name }: Source) => `${title} from ${person(name)}`,
    whole: {
      readBack: ({ title, name }: Source) =>
        `${title} from ${person(name)}. Every file was verified, then read back from the disk.`,
      checked: ({ title, name }: Source) =>
        `${title} from ${person(name)}. Every file matches the sender's.`,
    },
    /** Results in which some files already existed, or weren't wanted. */
    part: {
      readBack: ({ title, name }: Source) =>
        `${title} from ${person(name)}. The received files were verified, then read back from the disk.`,
      checked: ({ title, name }: Source) =>
        `${title} from ${person(name)}. The received files match the sender's.`,
    },
    checkedText: ({ title, name }: Source) =>
      `${title} from ${person(name)}. The text matches the sender's.`,
    partly: ({ files, totalFiles }: Saved) =>
      plural(totalFiles, {
        one: files === 0 ? "The file wasn't saved." : 'The file was saved and verified.',
        other: plural(files, {
          one: `${formatCount(files)} of ${formatCount(totalFiles)} files was saved and verified.`,
          other: `${formatCount(files)} of ${formatCount(totalFiles)} files were saved and verified.`,
        }),
      }),
    changedNames: (count: number) =>
      plural(count, {
        one: `${formatCount(count)} name was changed`,
        other: `${formatCount(count)} names were changed`,
      }),
    dragOut: 'Drag it to another window',
    averageSpeed: 'Average speed',
    files: 'Files',
    filesRenamed: ({ files, renamed }: { readonly files: number; readonly renamed: number }) =>
      `${formatCount(files)} (${formatCount(renamed)} renamed)`,
    received: 'Received',
    time: 'Time',
    route: 'Route',
    savedTo: 'Saved to',
    moreProblems: (count: number) =>
      plural(count, {
        one: `and ${formatCount(count)} more problem`,
        other: `and ${formatCount(count)} more problems`,
      }),
  },

  receivedTexts: {
    title: (count: number) => plural(count, { one: 'Text', other: `${formatCount(count)} texts` }),
  },
} as const
