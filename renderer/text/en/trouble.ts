/** Texts of the page that replaces the window when a part of the program has failed. */
export const troubleText = {
  trouble: {
    titles: {
      window: 'The window stopped working',
      program: 'Thruflux made a mistake',
      engine: "Thruflux can't transfer files",
    },
    abouts: {
      window:
        'It was opened again and stopped once more. Restart Thruflux; what was received is kept and can be resumed.',
      program:
        'It may not work as it should. Restart Thruflux; what was received is kept and can be resumed.',
      engine: 'Its engine could not be loaded. Install Thruflux again, then restart it.',
    },
    restart: 'Restart Thruflux',
    copyReport: 'Copy report',
    reportAbout: 'The report has versions and the last errors. It has no codes, names or paths.',
    crashed: 'Thruflux stopped unexpectedly last time. Interrupted receives can be resumed.',
  },
} as const
