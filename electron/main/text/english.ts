/** Every English text of the main process: system dialogs, and the title of the window. */
export const english = {
  window: { title: 'Thruflux' },
  dialogs: {
    share: 'Share',
    saveHere: 'Save here',
    /** The file name of a received text that has no name. */
    unnamedText: 'Text',
  },
} as const
