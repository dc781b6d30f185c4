/** Every text that the main process shows: buttons of the system's dialogs, and the window's title. */
export const text = {
  window: { title: 'Thruflux' },
  dialogs: {
    share: 'Share',
    saveHere: 'Save here',
    /** The file name of a received text that has no name. */
    unnamedText: 'Text',
  },
} as const
