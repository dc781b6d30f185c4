/** Texts about the program's version and updates. */
import type { UpdateErrorCode } from '#shared/update/update-error'

const again = 'Thruflux tries again by itself.'
const untrusted = 'Nothing was installed. If it happens again, tell whoever gave you Thruflux.'

/** One sentence about what happened, one about what to do. */
const errors: {
  readonly [code in UpdateErrorCode]: { readonly what: string; readonly remedy: string }
} = {
  E_UPDATE_UNREACHABLE: {
    what: "The update server can't be reached.",
    remedy: `Check your connection to the internet. ${again}`,
  },
  E_UPDATE_UNTRUSTED: { what: "The update isn't signed by its makers.", remedy: untrusted },
  E_UPDATE_EXPIRED: {
    what: 'What the update server says is out of date.',
    remedy: 'Check the date of this computer. If it is right, try again in a few days.',
  },
  E_UPDATE_STALE: {
    what: 'The update server says less than it said before.',
    remedy: `Nothing was installed. ${again}`,
  },
  E_UPDATE_DAMAGED: {
    what: 'The update arrived damaged and was not kept.',
    remedy: 'Check for updates once more.',
  },
  E_UPDATE_INTERRUPTED: {
    what: 'The download was interrupted.',
    remedy: 'It starts again by itself within the hour, or check for updates now.',
  },
  E_UPDATE_DISK_FULL: {
    what: 'There is not enough room on the disk for the update.',
    remedy: 'Free about 500 MB, then check for updates once more.',
  },
  E_UPDATE_NOT_WRITABLE: {
    what: "Thruflux can't write to the place where it is installed.",
    remedy: 'Move it to a folder of yours, or ask whoever manages this computer.',
  },
  E_UPDATE_INSTALL: {
    what: 'The installer of the update did not run.',
    remedy: 'Check for updates once more, or install the newest version by hand.',
  },
}

/** Sentences of the page about the program and of the note about a new version. */
export const updatesText = {
  version: (version: string) => `Thruflux ${version}`,
  by: {
    app: 'Not checked for updates yet.',
    system: 'Your system keeps it up to date, together with other programs.',
    person: 'Install new versions the way you installed this one.',
    nobody: "This build doesn't look for updates. Install new versions from where you got it.",
  },
  checked: (time: string) => `Last checked ${time}.`,
  newest: (time: string) => `You have the newest version. Last checked ${time}.`,
  checking: 'Checking for updates…',
  waiting: (version: string) => `Version ${version} follows when your transfers are complete.`,
  downloading: ({ version, done }: { readonly version: string; readonly done: string }) =>
    `Downloading version ${version}: ${done}.`,
  downloadingName: 'Download of the update',
  ready: (version: string) => `Version ${version} is installed when you quit Thruflux.`,
  readyBusy: (version: string) =>
    `Version ${version} is installed when your transfers are complete and you quit Thruflux.`,
  check: 'Check now',
  restart: 'Restart to update',
  automatic: 'Keep Thruflux up to date',
  automaticAbout: 'It looks once a day, never during a transfer, and tells nobody who you are.',
  channel: 'Versions',
  channelAbout: 'Betas come earlier and have more mistakes.',
  channels: { stable: 'Stable', beta: 'Stable and beta' },
  noSandbox: {
    label: "Runs without Chromium's sandbox",
    about:
      'A flaw in the window would endanger more of this computer. The deb and rpm packages have the sandbox. An AppImage has it where the system allows that, and root never has it.',
  },
  news: (version: string) => `What's new in ${version}`,
  updated: (version: string) => `Thruflux is now version ${version}.`,
  showNews: "What's new",
  errors,
}
