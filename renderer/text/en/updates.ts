/** Texts about the program's version and updates. */
import type { UpdateErrorCode } from '#shared/update/update-error'

const again = 'Thruflux tries again automatically.'
const untrusted = 'Nothing was installed. If it happens again, tell whoever gave you Thruflux.'

/** One sentence about the problem, and one about its remedy. */
const errors: {
  readonly [code in UpdateErrorCode]: { readonly what: string; readonly remedy: string }
} = {
  E_UPDATE_UNREACHABLE: {
    what: "The update server can't be reached.",
    remedy: `Check your connection to the internet. ${again}`,
  },
  E_UPDATE_UNTRUSTED: {
    what: "The update isn't signed by the makers of Thruflux.",
    remedy: untrusted,
  },
  E_UPDATE_EXPIRED: {
    what: "The update server's information is out of date.",
    remedy: 'Check the date of this computer. If it is right, try again in a few days.',
  },
  E_UPDATE_STALE: {
    what: 'The update server sent older information than before.',
    remedy: `Nothing was installed. ${again}`,
  },
  E_UPDATE_DAMAGED: {
    what: 'The update arrived damaged and was not kept.',
    remedy: 'Check for updates again.',
  },
  E_UPDATE_INTERRUPTED: {
    what: 'The download was interrupted.',
    remedy: 'It restarts automatically within the hour, or you can check for updates now.',
  },
  E_UPDATE_DISK_FULL: {
    what: 'There is not enough disk space for the update.',
    remedy: 'Free about 500 MB, then check for updates again.',
  },
  E_UPDATE_NOT_WRITABLE: {
    what: "Thruflux can't write to the folder where it is installed.",
    remedy: 'Move it to one of your own folders, or ask whoever manages this computer.',
  },
  E_UPDATE_INSTALL: {
    what: 'The installer of the update failed.',
    remedy: 'Check for updates again, or install the newest version yourself.',
  },
}

/** Sentences of the page about the program and of the note about a new version. */
export const updatesText = {
  version: (version: string) => `Thruflux ${version}`,
  by: {
    app: 'Not checked for updates yet.',
    system: 'Your system keeps it up to date, together with other programs.',
    person: 'Install new versions the way you installed this one.',
    nobody: "This build doesn't check for updates. Get new versions from where you got this one.",
  },
  checked: (time: string) => `Last checked ${time}.`,
  newest: (time: string) => `You have the newest version. Last checked ${time}.`,
  checking: 'Checking for updates…',
  waiting: (version: string) =>
    `Version ${version} will be downloaded when your transfers are complete.`,
  downloading: ({ version, done }: { readonly version: string; readonly done: string }) =>
    `Downloading version ${version}: ${done}.`,
  downloadingName: 'Update download',
  ready: (version: string) => `Version ${version} is installed when you quit Thruflux.`,
  readyBusy: (version: string) =>
    `Version ${version} is installed when your transfers are complete and you quit Thruflux.`,
  check: 'Check now',
  restart: 'Restart to update',
  automatic: 'Keep Thruflux up to date',
  automaticAbout: "Checks once a day, never during a transfer, and doesn't identify you.",
  channel: 'Versions',
  channelAbout: 'Betas come earlier and have more bugs.',
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
