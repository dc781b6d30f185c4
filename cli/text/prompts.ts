/** Questions on the terminal, with their help for `?`. */
import { formatCount } from '#shared/format/format'
import { plural } from '#shared/format/plural'

/** A question, and the lines that `?` shows. */
export type Question = { readonly ask: string; readonly help: readonly string[] }

export const promptText = {
  code: 'Join code (Tab completes words): ',
  yesOrNo: (question: string) => `${question} [y/N] `,
  again: (question: string) => `Choose one of these, or ? for help. ${question}`,
  newServer: (server: string, isPublic: boolean): Question => ({
    ask: `This link uses the server ${server}, which you haven't used before. Use it?`,
    help: [
      isPublic
        ? "It helps the two computers find each other and can't read what they send."
        : 'It is on your own network or this computer, not on the internet.',
      'y uses it now and for later links. Only do that if you trust the sender of the link.',
      'n cancels without connecting.',
    ],
  }),
  receive: (folder: string): Question => ({
    ask: `Receive into ${folder}?`,
    help: [
      'y receives everything listed above into this folder.',
      'n declines and lets the sender know. Nothing is sent.',
      'To use another folder: thru join CODE FOLDER. To choose files: --only and --exclude.',
    ],
  }),
  showText: (texts: number): Question => ({
    ask: plural(texts, { one: 'Show the text?', other: `Show the ${formatCount(texts)} texts?` }),
    help: ['y prints it here. Nothing is saved.', 'n declines and lets the sender know.'],
  }),
  writeToOutput: {
    ask: 'Write it to standard output?',
    help: ['y writes the file to standard output.', 'n declines and lets the sender know.'],
  } satisfies Question,
  conflict: (files: number): Question => ({
    ask: plural(files, {
      one: '1 file already exists and differs: [k]eep both, [r]eplace, [u]pdate, replace [o]lder, [s]kip? ',
      other: `${formatCount(files)} files already exist and differ: [k]eep both, [r]eplace, [u]pdate, replace [o]lder, [s]kip? `,
    }),
    help: [
      'k keeps your files and saves the new ones as "name (2).ext".',
      'r replaces your files with the new ones.',
      'u does the same, but receives only the parts that changed.',
      'o replaces only those of your files that are older.',
      's keeps your files and skips the new ones.',
    ],
  }),
  addPath: 'Add a file or folder (Tab completes, an empty line adds nothing): ',
  clearHistory: (entries: number): Question => ({
    ask: plural(entries, {
      one: 'Remove 1 entry from the history?',
      other: `Remove all ${formatCount(entries)} entries from the history?`,
    }),
    help: ['y removes them from the app as well. The files stay.', 'n changes nothing.'],
  }),
  compare: (name: string, safety: string): Question => ({
    ask: `Does ${name} show the number ${safety}?`,
    help: [
      'y sends the files as soon as the other side accepts.',
      'n sends nothing.',
      'If the numbers differ, someone else on this network answers in place of that computer.',
    ],
  }),
  nearby: (name: string, safety: string): Question => ({
    ask: `View the offer from ${name}, if it shows the number ${safety}?`,
    help: [
      'y connects and shows what is offered; you can still decline.',
      'n declines and lets the sender know.',
      'If the numbers differ, someone else on this network answers in place of that computer.',
    ],
  }),
  letIn: (name: string, safety: string): Question => ({
    ask: `${name} wants to receive (safety number ${safety}). Let them in?`,
    help: [
      'y shows them what you share; they can then receive it.',
      "n refuses. They don't see what you share.",
      `To be sure that it is ${name}, compare the safety number with the one on their screen.`,
    ],
  }),
  addContact: (name: string): Question => ({
    ask: `${name} wants to add you as a contact. Add ${name} too?`,
    help: ['y lets you send to each other without a code.', 'n changes nothing.'],
  }),
} as const
