/** Texts of the page that replaces the window when a part of the program has failed. */
export const fatalErrorText = {
  fatalError: {
    titles: {
      window: 'The window stopped working',
      program: 'Something went wrong in Thruflux',
      engine: "Thruflux can't transfer files",
    },
    abouts: {
      window:
        'It was reopened and stopped again. Restart Thruflux; received files are kept, and transfers can be resumed.',
      program:
        'It may not work properly. Restart Thruflux; received files are kept, and transfers can be resumed.',
      engine: 'Its engine could not be loaded. Install Thruflux again, then restart it.',
    },
    restart: 'Restart Thruflux',
    copyReport: 'Copy report',
    reportAbout: 'The report has versions and the last errors, but no codes, names or paths.',
    crashed: 'Thruflux stopped unexpectedly last time. Interrupted receives can be resumed.',
  },
} as const
